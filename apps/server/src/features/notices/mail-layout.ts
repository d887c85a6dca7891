import { formatNumber } from '@ratecard/contract/wording'
import { html, type Html } from '../../platform/html.ts'

// The one look of mails to people: a column of text that reads as well without its style. Mail programs know tables and
// little else, and take the style from the elements.

export interface MailContent {
  /** The line that lists of mails show beside the subject. */
  preview: string
  heading: string
  paragraphs: readonly string[]
  items: readonly { text: string; detail: string; url: string }[]
  more: number
  action: { label: string; url: string }
  /** Why this person gets it. */
  reason: string
  /** Null: they have no account. */
  settingsUrl: string | null
  unsubscribe: { label: string; url: string }
}

const font = 'font-family:Inter,-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
// What the elements say holds in a light window; this in a dark one, where a program knows how to ask.
const dark = `@media (prefers-color-scheme:dark){.page{background:#0f1115!important}.text{color:#eceef1!important}.soft{color:#a3aab5!important}.rule{border-color:#2b3038!important}.button,.mark{background:#6a5af9!important}}`

export function mailHtml(content: MailContent): string {
  const { preview, heading, paragraphs, items, more, action, reason, settingsUrl, unsubscribe } = content
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${heading}</title>
        <style>
          ${dark}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background:#ffffff">
        <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#ffffff">
          <tr>
            <td align="center" style="padding:40px 20px">
              <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;text-align:left;${font}">
                <tr>
                  <td class="text" style="padding-bottom:28px;font-size:15px;font-weight:650;letter-spacing:-0.01em;color:#16181d"><span class="mark" style="display:inline-block;width:12px;height:12px;margin-right:8px;border-radius:4px;background:#5546e0"></span>Ratecard</td>
                </tr>
                <tr>
                  <td>
                    <h1 class="text" style="margin:0 0 12px;font-size:20px;line-height:1.3;font-weight:650;letter-spacing:-0.015em;color:#16181d">${heading}</h1>
                    ${paragraphs.map((text) => paragraphHtml(text))} ${items.map((item) => itemHtml(item))}
                    ${more > 0 && paragraphHtml(`And ${formatNumber(more)} more.`)}
                    <p style="margin:24px 0 0"><a class="button" href="${action.url}" style="display:inline-block;padding:9px 16px;border-radius:8px;background:#5546e0;color:#ffffff;font-size:14px;font-weight:550;text-decoration:none">${action.label}</a></p>
                  </td>
                </tr>
                <tr>
                  <td class="rule" style="padding-top:36px">
                    <p class="soft rule" style="margin:0;padding-top:16px;border-top:1px solid #e3e6ea;font-size:13px;line-height:1.55;color:#59606b">
                      ${reason} <a class="soft" href="${unsubscribe.url}" style="color:#59606b">${unsubscribe.label}</a>
                      ${settingsUrl !== null && html`· <a class="soft" href="${settingsUrl}" style="color:#59606b">All notifications</a>`}
                    </p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.text // prettier-ignore
}

function paragraphHtml(text: string): Html {
  return html`<p class="text" style="margin:0 0 12px;font-size:15px;line-height:1.55;color:#16181d">
    ${text}
  </p>`
}

function itemHtml({ text, detail, url }: MailContent['items'][number]): Html {
  return html`<p
    class="rule"
    style="margin:0;padding:12px 0;border-top:1px solid #e3e6ea;font-size:15px;line-height:1.45"
  >
    <a class="text" href="${url}" style="color:#16181d;font-weight:550">${text}</a><br />
    <span class="soft" style="font-size:13px;color:#59606b">${detail}</span>
  </p>`
}

/** The same as text, up to the link, and after it. */
export function mailText(content: Omit<MailContent, 'preview'>): { text: string; footer: string } {
  const { heading, paragraphs, items, more, reason, settingsUrl, unsubscribe } = content
  const lines = items.map(({ text, detail, url }) => `- ${text}\n  ${detail}\n  ${url}`)
  return {
    text: [
      heading,
      ...paragraphs,
      ...(lines.length > 0 ? [lines.join('\n')] : []),
      ...(more > 0 ? [`And ${formatNumber(more)} more.`] : []),
    ].join('\n\n'),
    footer: `${reason}\n${unsubscribe.label}: ${unsubscribe.url}${settingsUrl === null ? '' : `\nAll notifications: ${settingsUrl}`}`,
  }
}
