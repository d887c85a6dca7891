import { attacks } from './abuse/attacks/index.ts'
import { attackTable, figuresOf, serviceTable, type Row } from './abuse/report.ts'
import { runRound, type Round } from './abuse/round.ts'
import { openScene } from './abuse/scene.ts'
import { say, shown } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { choose, onlyOption, readOptions } from './frame/options.ts'
import { report } from './frame/report.ts'

// What a paying customer is served while the server is attacked: one attack after the other, each with stated means.

const about = 'Attacks a server in every way, and measures what a customer is served: half an hour.'
const options = readOptions(about, {
  only: onlyOption,
  seconds: ['how long each attack lasts, and how long the customer is alone beside it', 24, 3],
})
const { seconds } = options
const chosen = choose(attacks, options.only)
await using scene = await openScene()
const rows: Row[] = []
for (const attack of chosen) {
  say(`${rows.length + 1} of ${chosen.length}: ${attack.name}`)
  const round = await runRound(attack, scene, seconds * 1_000)
  rows.push({ attack: attack.name, means: attack.means, ...round })
  say(`  ${roundText(round)}`)
}

// What was measured beside an attack that did not get through says nothing.
if (rows.some(({ hasLanded }) => !hasLanded)) process.exitCode = 1
await report(options, {
  name: 'abuse',
  figures: figuresOf(rows),
  tables: [serviceTable(rows), attackTable(rows)],
  data: { machine: describeMachine({ PostgreSQL: scene.version }), seconds, rows },
})

function roundText({ quiet, attacked, holdings, recoveryMs, hasLanded }: Round): string {
  return [
    `p99 ${shown(quiet.pages.p99Ms)} -> ${shown(attacked.pages.p99Ms)} ms`,
    `others ${shown(quiet.others.p99Ms)} -> ${shown(attacked.others.p99Ms)} ms`,
    `${shown(holdings.peakMb ?? NaN)} MB, ${holdings.descriptors} held`,
    recoveryMs === null ? 'not served as before' : `served as before after ${shown(recoveryMs / 1_000)} s`,
    ...Object.entries(attacked.failures).map(([what, number]) => `${number} × ${what}`),
    ...(hasLanded ? [] : ['THE ATTACK DID NOT GET THROUGH']),
  ].join('; ')
}
