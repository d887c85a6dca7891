// The calculator of a model's page, without asking the server again. The form works without it, and the server
// calculates by the same rule.
import { costOf } from '/assets/cost.js'
import { compareDecimals, isDecimalText, roundDecimal } from '/assets/decimal.js'

const form = document.querySelector('form[data-calculator]')
const table = document.querySelector('table[data-costs]')

/** What is typed, while it is a number; else nothing. */
function amount(name) {
  const text = form.elements[name].value
  return isDecimalText(text) ? text : '0'
}

function costOfRow({ dataset }, use, isBatch) {
  const rate = (name) => dataset[name] || null
  const rates = isBatch
    ? { input: rate('batchInput'), output: rate('batchOutput'), cached: rate('batchCached') }
    : { input: rate('input'), output: rate('output'), cached: rate('cached') }
  return costOf({ ...rates, request: '0' }, use)
}

function update() {
  const cached = amount('cached')
  const use = {
    input: amount('in'),
    output: amount('out'),
    cached: compareDecimals(cached, '100') > 0 ? '100' : cached,
  }
  for (const row of table.tBodies[0].rows) {
    const cost = costOfRow(row, use, form.elements.batch.checked)
    const [whole, part] = cost === null ? ['–', ''] : roundDecimal(cost, 2).split(/(?=\.)/)
    const cell = row.querySelector('[data-cost]')
    cell.replaceChildren(
      cost === null ? whole : `${row.dataset.currency}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}`,
    )
    const fraction = document.createElement('span')
    fraction.className = 'frac f2'
    fraction.textContent = part
    cell.append(fraction)
  }
}

if (form && table) form.addEventListener('input', update)
