// "Try it": sends a request of the reference with the reader's key, and shows the answer as it came.
const keyPanel = document.querySelector('[data-key]')
const keyField = keyPanel.querySelector('input')
const shownHeaders = /^(x-|retry-after|content-type|www-authenticate)/

keyPanel.hidden = false
for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}

async function send(form) {
  const button = form.querySelector('button')
  const result = form.querySelector('.result')
  const key = keyField.value.trim()
  if (form.dataset.public === 'false' && key === '') {
    show(result, 'Your key is needed first: the field is at the top of the page.')
    keyField.focus()
    return
  }
  if (button.disabled) return
  button.disabled = true
  try {
    const startedMs = performance.now()
    const response = await fetch(buildUrl(form), buildOptions(form, key))
    const text = await response.text()
    const tookMs = Math.round(performance.now() - startedMs)
    const headers = [...response.headers].filter(([name]) => shownHeaders.test(name))
    show(result, `${response.status} ${response.statusText}, after ${tookMs} ms`)
    addBlock(result, headers.map(([name, value]) => `${name}: ${value}`).join('\n'))
    addBlock(result, pretty(text))
  } catch (error) {
    show(result, `The request was not answered: ${error.message}`)
  } finally {
    button.disabled = false
  }
}

function findInputs(form, place) {
  return [...form.querySelectorAll(`input[data-in="${place}"]`)].filter(({ value }) => value !== '')
}

function buildUrl(form) {
  const paths = Object.fromEntries(findInputs(form, 'path').map(({ name, value }) => [name, value]))
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(paths[name] ?? ''))
  const query = new URLSearchParams(findInputs(form, 'query').map(({ name, value }) => [name, value]))
  return query.size === 0 ? path : `${path}?${query}`
}

function buildOptions(form, key) {
  const body = form.elements.body?.value
  return {
    method: form.dataset.method,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      ...(form.dataset.public === 'false' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }
}

function show(result, text) {
  const line = document.createElement('p')
  line.textContent = text
  result.replaceChildren(line)
}

function addBlock(result, text) {
  const block = document.createElement('pre')
  block.tabIndex = 0
  block.textContent = text
  result.append(block)
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
