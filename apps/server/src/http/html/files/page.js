// The calculator of a model's page, without asking the server again. The form works without it. Which rates hold the
// server has decided, and it gives the reason for one that is none; here they are multiplied.
import {
  addDecimals,
  compareDecimals,
  isDecimalText,
  isZero,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '/assets/decimal.js'

const form = document.querySelector('form[data-calculator]')
const table = document.querySelector('table[data-costs]')

/** What is typed, while it is a number; else nothing. */
function amount(name) {
  const text = form.elements[name].value
  return isDecimalText(text) ? text : '0'
}

/** What a row costs, or why nobody knows. */
function priceRow({ dataset }, use, isBatch) {
  const fromCache = multiplyDecimals(multiplyDecimals(use.input, use.cached), '0.01')
  const parts = isBatch
    ? { batchInput: subtractDecimals(use.input, fromCache), batchCached: fromCache, batchOutput: use.output }
    : { input: subtractDecimals(use.input, fromCache), cached: fromCache, output: use.output }
  let sum = '0'
  for (const [name, millions] of Object.entries(parts)) {
    if (isZero(millions)) continue
    if (!isDecimalText(dataset[name])) return dataset[name] || '–'
    sum = addDecimals(sum, multiplyDecimals(millions, dataset[name]))
  }
  const [whole, part] = roundDecimal(sum, 2).split(/(?=\.)/)
  const fraction = document.createElement('span')
  fraction.className = 'frac f2'
  fraction.textContent = part
  return [`${dataset.currency}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}`, fraction]
}

function update() {
  const cached = amount('cached')
  const use = {
    input: amount('in'),
    output: amount('out'),
    cached: compareDecimals(cached, '100') > 0 ? '100' : cached,
  }
  for (const row of table.tBodies[0].rows) {
    const cost = priceRow(row, use, form.elements.batch.checked)
    row.querySelector('[data-cost]').replaceChildren(...[cost].flat())
  }
}

let asking = new AbortController()
let timer

/** How long a request is decides which rates hold: the server says so. */
async function ask() {
  asking.abort()
  asking = new AbortController()
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''))
  try {
    const answer = await fetch(`${new URL(form.action).pathname}?${query}`, { signal: asking.signal })
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    table.replaceChildren(...page.querySelector('table[data-costs]').childNodes)
  } catch {
    // Something else is typed, or the server is away: the button still asks.
  }
}

const pauseMs = 300

function answer() {
  clearTimeout(timer)
  asking.abort()
  if (form.elements.requests.value === '') update()
  else timer = setTimeout(ask, pauseMs)
}

if (form && table) {
  form.addEventListener('input', answer)
  // What was typed before this script came, or what the browser has filled in again.
  addEventListener('pageshow', () => {
    const isTouched = ({ value, defaultValue, checked, defaultChecked }) =>
      value !== defaultValue || checked !== defaultChecked
    if ([...form.querySelectorAll('input')].some(isTouched)) answer()
  })
}
