import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fontFile } from './assets.ts'
import { Html } from './html.ts'

// One style for all pages, in the page itself: a reader waits for one round trip and no second one. The policy names
// its hash, so no other style applies.

/** The colours and typefaces that the dashboard has too, without comments and spaces. */
const theme = readFileSync(createRequire(import.meta.url).resolve('@ratecard/dashboard/theme.css'), 'utf8')
  .replaceAll(/\/\*[^]*?\*\//g, '')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{}:;,]) ?/g, '$1')
  .trim()

const css = `${theme}@font-face{font-family:Inter;src:url(${fontFile.path}) format("woff2");font-weight:100 900;font-display:swap}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;display:grid;grid-template:auto 1fr auto/minmax(0,1fr);min-height:100dvh;background:var(--back);color:var(--text);font:15px/1.55 var(--font);font-feature-settings:"cv05","ss03"}
a{color:inherit;text-decoration-color:var(--line-strong);text-decoration-thickness:1px;text-underline-offset:.2em}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-100vw;top:0;background:var(--back);padding:.6rem 1rem;z-index:2}
.skip:focus{left:0}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bar,main,.foot>div{max-width:72rem;margin:0 auto;padding:0 1.25rem}
.top{border-bottom:1px solid var(--line)}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding-top:.75rem;padding-bottom:.75rem}
.brand{display:inline-flex;align-items:center;gap:.55rem;color:inherit;font-weight:650;font-size:1.0625rem;letter-spacing:-.015em;text-decoration:none}
.brand svg{display:block}
.menu{display:flex;flex-wrap:wrap;align-items:center;gap:.1rem 1.25rem;flex:1}
.menu a{color:var(--soft);text-decoration:none;font-weight:500;padding:.35rem 0}
.menu a:hover,.menu a[aria-current]{color:var(--text)}
.menu a[aria-current]{box-shadow:inset 0 -2px var(--accent)}
.account{display:flex;align-items:center;gap:1rem;margin-left:auto}
.account a:not(.btn){color:var(--soft);text-decoration:none;font-weight:500}
.account a:not(.btn):hover{color:var(--text)}
.btn{display:inline-block;background:var(--accent-fill);color:var(--on-accent);border:1px solid var(--accent-fill);border-radius:8px;padding:.4rem .85rem;font:inherit;font-weight:550;text-decoration:none;cursor:pointer}
.btn.plain{background:var(--raised);color:var(--text);border-color:var(--line-control)}
main{width:100%;padding-top:2rem;padding-bottom:4rem}
.ages{margin:-1rem 0 1rem;font-size:.8125rem;color:var(--soft);text-align:right}
.ages a{color:inherit;text-decoration:none}
.ages a:hover{text-decoration:underline}
.ages.warn{color:var(--warn)}.ages.bad{color:var(--bad)}
.ask{margin:1.25rem 0}
h1{font-size:clamp(1.6rem,1.2rem + 1.8vw,2.25rem);line-height:1.15;letter-spacing:-.025em;font-weight:680;margin:0 0 .5rem;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.2rem;letter-spacing:-.012em;line-height:1.3;font-weight:640;margin:3rem 0 .35rem}
h3{font-size:1rem;font-weight:620;margin:1.75rem 0 .35rem;overflow-wrap:anywhere}
p{margin:.5rem 0}
time{white-space:nowrap}
.lead{font-size:1.0625rem;color:var(--soft);max-width:44rem;text-wrap:pretty}.meta+.lead{margin-top:.75rem}
.soft,.note{color:var(--soft)}
.note{font-size:.875rem;max-width:48rem}
.crumbs{font-size:.875rem;color:var(--soft);margin:0 0 .75rem}
code,.id,pre{font-family:var(--mono);font-size:.8125rem}
.id{color:var(--soft);overflow-wrap:anywhere;font-weight:400}
.snippet{position:relative}.snippet .copy{position:absolute;top:.5rem;right:.5rem;padding:.1rem .55rem;font-size:.8125rem}pre:has(code){white-space:pre-wrap;overflow-wrap:anywhere}@media (scripting:enabled){pre:has(code){padding-right:5.5rem}}
pre{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:1rem 1.1rem;overflow:auto;line-height:1.6;margin:.75rem 0}
.badge{display:inline-block;padding:0 .5rem;border:1px solid var(--line);border-radius:1rem;background:var(--panel);font-size:.8125rem;line-height:1.55;color:var(--soft);white-space:nowrap}
.badge.good{color:var(--good)}.badge.bad{color:var(--bad)}.badge.warn{color:var(--warn)}
.tiles{display:flex;flex-wrap:wrap;gap:1px;background:var(--line);border:1px solid var(--line);border-radius:12px;overflow:hidden;margin:1.5rem 0}
.tiles>div{flex:1 1 8rem;background:var(--back);padding:.9rem 1.1rem}
.tiles dt{color:var(--soft);font-size:.8125rem}
.tiles dd{margin:.1rem 0 0;font-size:1.5rem;letter-spacing:-.02em;font-weight:620;font-variant-numeric:tabular-nums;line-height:1.25;overflow-wrap:anywhere}
.tiles small{display:block;font-size:.8125rem;color:var(--soft);font-weight:400;letter-spacing:0}
.panel{border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.25rem;margin:1rem 0}
.wide{position:relative;overflow-x:auto;margin:.75rem 0 0}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:baseline;padding:.6rem 1.25rem .6rem 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
thead th{font-size:.8125rem;font-weight:500;color:var(--soft);white-space:nowrap;padding-top:.3rem;padding-bottom:.4rem}
thead th a{font-size:.9375rem}
tbody th{font-weight:550}
tbody tr:hover{background:color-mix(in srgb,var(--panel) 70%,transparent)}
.narrow{display:none}
th .id{display:block}
.num{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.frac{display:inline-block;text-align:left}
.f2{min-width:2.7ch}.f3{min-width:3.7ch}.f4{min-width:4.7ch}.f5{min-width:5.7ch}.f6{min-width:6.7ch}.f7{min-width:7.7ch}.f8{min-width:8.7ch}.f9{min-width:9.7ch}
.up{color:var(--bad)}.down{color:var(--good)}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.5rem;margin:1rem 0}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
form.search{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.25rem 0 .75rem}
.field{display:grid;gap:.2rem;min-width:0}
.field>span,legend{font-size:.8125rem;color:var(--soft)}
input,select{font:inherit;color:inherit;background:var(--back);border:1px solid var(--line-strong);border-radius:8px;padding:.45rem .7rem;min-width:0;max-width:100%}
.search .grow{flex:1 1 14rem}
.search .grow input{width:100%}
.search .btn,.search .check{align-self:end}
.check{padding:.45rem .25rem;white-space:nowrap}
.follow{gap:.5rem .75rem;max-width:44rem}
.hero{padding:1.5rem 0 .5rem}
.hero h1{font-size:clamp(2rem,1.2rem + 3.4vw,3.25rem);max-width:20ch}
.hero input{font-size:1.0625rem;padding:.7rem .95rem}
.hero .btn{font-size:1.0625rem;padding:.7rem 1.2rem}
.hero .meta a{padding:.3rem 0}
.split{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:0 3rem}
.split>*{min-width:0}
.list{list-style:none;margin:.75rem 0 0;padding:0}
.list>li{padding:.75rem 0;border-top:1px solid var(--line)}
.list a{font-weight:550}
.list .meta{margin-bottom:.2rem}
.list p{margin:.15rem 0;color:var(--soft);overflow-wrap:anywhere}
.meta{display:flex;flex-wrap:wrap;gap:.2rem .75rem;align-items:center;font-size:.8125rem;color:var(--soft)}
.pages{display:flex;gap:1rem;justify-content:space-between;margin:1.25rem 0}
.toc{display:flex;flex-wrap:wrap;gap:.15rem 1.25rem;font-size:.875rem;margin:1rem 0 0;padding:0;list-style:none}
summary .id{display:inline}
details{border-top:1px solid var(--line);padding:.6rem 0}
summary{cursor:pointer;font-weight:550;overflow-wrap:anywhere}
figure{margin:1rem 0;min-width:0;max-width:34rem}
.tall{max-width:44rem;max-height:30rem;overflow:auto}
blockquote{margin:.5rem 0;padding:.15rem .75rem;border-left:3px solid var(--line-strong);font-family:ui-monospace,monospace;font-size:.8125rem;overflow-wrap:anywhere}
blockquote footer{font-family:inherit;font-size:.75rem;color:var(--soft);padding:0;margin:0;border:0}
.quoted{max-width:none}.quoted p{font-size:.8125rem;margin:.25rem 0}
figcaption{font-size:.875rem;color:var(--soft)}
.chart{display:block;width:100%;height:auto;overflow:visible}
.chart text{font-size:11px;fill:var(--soft);font-variant-numeric:tabular-nums}
.chart .grid{stroke:var(--line)}
.chart rect{fill:transparent}
.chart .at g{visibility:hidden;pointer-events:none}
.chart .at:is(:hover,:focus) g{visibility:visible}
.chart .at:is(:hover,:focus) rect{fill:var(--line);fill-opacity:.4}
.chart .at text{fill:var(--text);stroke:var(--back);stroke-width:3px;paint-order:stroke}
.chart circle{fill:currentColor}
.chart path{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}.chart .told{stroke-dasharray:4 3}
.s0{stroke:light-dark(#5546e0,#8f84ff);color:light-dark(#5546e0,#8f84ff)}.s1{stroke:light-dark(#b4460f,#ffa06b);color:light-dark(#b4460f,#ffa06b)}.s2{stroke:light-dark(#12703d,#5cc98b);color:light-dark(#12703d,#5cc98b)}.s3{stroke:light-dark(#0f6f8a,#5fc7e3);color:light-dark(#0f6f8a,#5fc7e3)}.s4{stroke:light-dark(#a3195b,#ff8dbf);color:light-dark(#a3195b,#ff8dbf)}.s5{stroke:light-dark(#5d6470,#a3aab5);color:light-dark(#5d6470,#a3aab5)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;list-style:none;padding:0;margin:.25rem 0;font-size:.875rem}
.legend li::before{content:"";display:inline-block;width:.9rem;height:3px;border-radius:2px;background:currentColor;margin-right:.45rem;vertical-align:middle}
.legend span{color:var(--text)}
.foot{border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
.foot>div{display:flex;flex-wrap:wrap;gap:.4rem 1.5rem;padding-top:1.5rem;padding-bottom:2.5rem}
.offers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:1rem;margin:2rem 0 1rem}
.offer{display:grid;grid-row:span 5;grid-template-rows:subgrid;row-gap:0;border:1px solid var(--line);border-radius:12px;padding:1.25rem;background:var(--raised)}
.offer.best{border-color:var(--accent-fill);box-shadow:0 0 0 1px var(--accent-fill)}
.offer h2{margin:0}
.offer .soft{margin:.25rem 0;font-size:.875rem}
.offer .price{align-self:end;margin:.75rem 0}
.price b{font-size:1.75rem;font-weight:640;letter-spacing:-.02em}
.offer .btn{align-self:start;text-align:center}
.offer ul{margin:1.25rem 0 0;padding:0;list-style:none;font-size:.875rem}
.offer li{padding:.45rem 0;border-top:1px solid var(--line)}
.offer b{font-weight:600}
.best .badge{background:var(--accent-back);color:var(--accent);border-color:transparent}
.dense th,.dense td{padding-top:.34rem;padding-bottom:.34rem}
.dense td{white-space:nowrap}
.dense a,.list a{text-decoration:none}.dense a:hover,.list a:hover{text-decoration:underline}
.dense thead th{position:sticky;top:0;background:var(--back);z-index:1}
.dense thead a{color:inherit;font-size:inherit}
.dense thead [aria-current]{color:var(--text);font-weight:600}
.dot{display:inline-block;width:.5rem;height:.5rem;border-radius:50%;margin-right:.55rem;vertical-align:.06em}
.dot.good{background:var(--good)}.dot.one{border:1.5px solid var(--line-strong)}
.mk{display:inline-block;min-width:1.6rem;margin-right:.5rem;border-radius:.35rem;padding:0 .2rem;background:color-mix(in srgb,currentColor 11%,var(--back));font-size:.72rem;line-height:1.35rem;font-weight:650;letter-spacing:-.01em;text-align:center;vertical-align:.08em}h1 .mk{font-size:.5em;line-height:1.8;min-width:2.1em;margin-right:.6em;vertical-align:.3em}.mk::before{content:attr(data-mark)}
.broad th[scope=row]{min-width:15rem}.differ{color:var(--warn);text-decoration:none;margin-left:.15rem}
kbd{font:inherit;font-size:.75rem;border:1px solid var(--line-strong);border-radius:4px;padding:0 .3rem}
.found{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between}.found p{margin:.25rem 0}.found .btn{padding:.3rem .75rem}
.columns{flex-basis:100%;font-size:.875rem}.columns fieldset{border:0;padding:0;margin:.35rem 0;display:flex;flex-wrap:wrap;gap:.2rem 1rem}.columns legend{float:left;margin-right:1rem}
.dense input{margin:0 .6rem 0 0;vertical-align:-.1em}.dense:has(input) tbody th:not(:has(input)){padding-left:1.45rem}
.why{display:block;max-width:16rem;color:var(--soft);font-size:.8125rem}
.more{border-bottom:1px solid var(--line)}.more td{border:0;white-space:normal;padding-top:0}tr:has(+.more)>*{border-bottom:0;padding-bottom:0}
.same{border:0;padding:0}.same summary{font-weight:400;font-size:.8125rem;color:var(--soft)}.lines,.same ul{list-style:none;margin:.35rem 0;padding:0;font-weight:400}.lines li,.same li{padding:.15rem 0}.same .id{display:inline}
@media (min-width:72rem){.wide:has(.dense):not(:has(.broad)){overflow:visible}}
@media (max-width:44rem){
.bar{gap:.25rem .75rem}
.account{gap:.7rem}
.search .field{flex:1 1 7rem}
.search .grow{flex-basis:100%}
.hero .search .grow{flex-basis:10rem}
.search .field>select,.search .field>input:not([type=checkbox]){width:100%}
.account .btn{padding:.35rem .65rem}
main{padding-top:1.25rem}
.menu{order:3;flex-basis:100%;gap:.1rem .8rem;font-size:.875rem}
.cards thead{display:none}
.cards tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr));gap:.35rem 1rem;padding:.85rem 0;border-bottom:1px solid var(--line)}
.cards th,.cards td{border:0;padding:0;text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:0}
.cards th[scope=row]{grid-column:1/-1;font-size:1rem}
.cards td::before{content:attr(data-label);display:block;color:var(--soft);font-size:.8125rem}
.cards td:empty{display:none}
.cards .frac{min-width:0}
.lean .opt{display:none}
.lean th,.lean td{padding-right:.6rem}
.lean th[scope=row]{overflow-wrap:anywhere}
.lean .frac{min-width:0}
.narrow{display:block;color:var(--soft);font-weight:400;font-size:.875rem}
.facts{grid-template-columns:1fr;gap:0}
.facts dd{margin-bottom:.5rem}
}
@media (max-width:44rem) and (scripting:enabled){pre:has(code){padding:2.6rem 1.1rem 1rem}}
@media (forced-colors:active){.legend li::before{background:CanvasText}.dot.good{background:CanvasText}.menu a[aria-current]{text-decoration:underline}}
@media print{.menu,.account,.foot,form{display:none!important}}
`

const style = css.replaceAll('\n', '')
export const styleElement = new Html(`<style>${style}</style>`)

/** What the policy of a page says of its style. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`
