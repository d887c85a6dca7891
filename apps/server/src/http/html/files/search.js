// "/" goes to the search; what is typed is found at once, by the page that the form would ask for; and what is ticked
// stays ticked while one searches on. Without it the forms work.
const form = document.querySelector('form[role=search]')
const compare = document.getElementById('compare')
const modelsMax = 4
const pauseMs = 200

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input:not([type=checkbox]), select, textarea')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey || !form) return
  event.preventDefault()
  form.elements.q.select()
})

const ticked = new Set()

function showTicked() {
  const boxes = [...document.querySelectorAll('input[form=compare]')]
  for (const box of boxes) {
    box.checked = ticked.has(box.value)
    box.disabled = !box.checked && ticked.size >= modelsMax
  }
  const [button] = compare.children
  const elsewhere = [...ticked].filter((id) => !boxes.some(({ value }) => value === id))
  compare.replaceChildren(
    button,
    ...elsewhere.map((value) =>
      Object.assign(document.createElement('input'), { type: 'hidden', name: 'models', value }),
    ),
  )
  button.disabled = ticked.size < 2
  button.textContent = ticked.size === 0 ? 'Tick models to compare' : `Compare ${ticked.size} of ${modelsMax}`
}

let asking = new AbortController()
let timer

async function search() {
  asking.abort()
  asking = new AbortController()
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''))
  const address = query.size === 0 ? '/models' : `/models?${query}`
  try {
    const answer = await fetch(address, { signal: asking.signal })
    // Too many at once: what is there stays, and the next key asks again.
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const part of ['h1', '#found', '#results'])
      document.querySelector(part).replaceChildren(...page.querySelector(part).childNodes)
    document.title = page.title
    history.replaceState(null, '', address)
    showTicked()
  } catch {
    // Another search has begun, or the server is away: the button still asks.
  }
}

if (compare) {
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, pauseMs)
  })
  document.addEventListener('change', ({ target }) => {
    if (target.form !== compare) return
    if (target.checked) ticked.add(target.value)
    else ticked.delete(target.value)
    showTicked()
  })
  for (const { checked, value } of document.querySelectorAll('input[form=compare]'))
    if (checked) ticked.add(value)
  showTicked()
}
