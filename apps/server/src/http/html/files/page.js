// The calculator of a model's page, without asking the server again. The form works without it.
const form = document.querySelector('form[data-calculator]')
const table = document.querySelector('table[data-costs]')

function amount(name) {
  const value = Number(form.elements[name].value)
  return Number.isFinite(value) && value >= 0 ? value : 0
}

function costOf(row, { input, output, cached, batch }) {
  const rate = (name) => (row.dataset[name] === '' ? null : Number(row.dataset[name]))
  const [inputRate, outputRate] = batch
    ? [rate('batchInput'), rate('batchOutput')]
    : [rate('input'), rate('output')]
  const cachedRate = batch ? rate('batchCached') : rate('cached')
  const parts = [
    [input * (1 - cached / 100), inputRate],
    [(input * cached) / 100, cachedRate],
    [output, outputRate],
  ]
  if (parts.some(([tokens, price]) => tokens > 0 && price === null)) return null
  return parts.reduce((sum, [tokens, price]) => sum + tokens * (price ?? 0), 0)
}

function update() {
  const use = {
    input: amount('in'),
    output: amount('out'),
    cached: Math.min(100, amount('cached')),
    batch: form.elements.batch.checked,
  }
  for (const row of table.tBodies[0].rows) {
    const cost = costOf(row, use)
    const [whole, part] =
      cost === null
        ? ['–', '']
        : cost
            .toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
            .split(/(?=\.\d+$)/)
    const cell = row.querySelector('[data-cost]')
    cell.replaceChildren(cost === null ? whole : `${row.dataset.currency}${whole}`)
    const fraction = document.createElement('span')
    fraction.className = 'frac f2'
    fraction.textContent = part
    cell.append(fraction)
  }
}

if (form && table) form.addEventListener('input', update)
