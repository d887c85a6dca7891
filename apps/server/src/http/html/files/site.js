// What a page can do beyond its HTML, which is the same for everybody: copy a snippet and, for who is signed in here,
// lead to the dashboard, watch what the page is about, and show what their plan has of a change. Of a stranger the
// server is asked nothing.

// Where there is no clipboard, as without https, nothing is copied. The reference has a form at each of its snippets.
if (navigator.clipboard && !document.querySelector('.reference')) {
  for (const snippet of document.querySelectorAll('pre:has(code)')) {
    const button = document.createElement('button')
    const name = (text) => (button.textContent = text)
    button.type = 'button'
    button.className = 'btn plain copy'
    name('Copy')
    button.addEventListener('click', async () => {
      const isCopied = await navigator.clipboard.writeText(snippet.textContent).then(
        () => true,
        () => false,
      )
      name(isCopied ? 'Copied' : 'Not copied')
      setTimeout(name, 2_000, 'Copy')
    })
    const frame = document.createElement('div')
    frame.className = 'snippet'
    snippet.replaceWith(frame)
    frame.append(snippet, button)
  }
}

/** The dashboard keeps it while somebody is signed in. */
const mark = 'ratecard.signed-in'
const [forStrangers, forUsers] = document.querySelectorAll('.account')
const link = document.querySelector('a[data-watch]')
const details = document.querySelector('[data-details]')
/** The button in place of the link, and what is being asked for it. */
let watch = null
let asking = null
let areDetailsAsked = false

function isMarked() {
  try {
    return localStorage.getItem(mark) !== null
  } catch {
    return false
  }
}

/** What the dashboard's interface answers; null: the session has ended, and its mark with it. */
async function ask(method, path, body) {
  const answer = await fetch(`/dashboard/api${path}`, {
    method,
    headers: { 'X-Ratecard-Dashboard': '1', ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.status === 401) {
    localStorage.removeItem(mark)
    show()
    return null
  }
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.message)
  return said
}

function show() {
  forStrangers.hidden = isMarked()
  forUsers.hidden = !isMarked()
  if (details && isMarked() && !areDetailsAsked) showDetails(details.dataset.details)
  if (!link) return
  if (!isMarked()) {
    watch?.replaceWith(link)
    watch = null
  } else if (watch === null) {
    // Until the server has said what is watched, and where it does not, the link stays.
    asking ??= ask(
      'GET',
      `/watch?${new URLSearchParams({ kind: link.dataset.watch, name: link.dataset.name })}`,
    )
      .then(
        (said) => said && isMarked() && makeButton(said.data.watched),
        () => undefined,
      )
      .finally(() => (asking = null))
  }
}

/** Stays as it is for a plan that has no more, and where the server does not answer. */
function showDetails(id) {
  areDetailsAsked = true
  ask('GET', `/changes/${encodeURIComponent(id)}/details`).then(
    (said) => {
      // Who signs in again asks again.
      areDetailsAsked = said !== null
      if (said?.data.html)
        details.replaceWith(document.createRange().createContextualFragment(said.data.html))
    },
    () => undefined,
  )
}

function makeButton(isWatched) {
  const { watch: kind, name } = link.dataset
  let isBusy = false
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'btn plain' })
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  const draw = () => {
    button.textContent = isWatched ? '★ Watching' : 'Watch'
    button.setAttribute('aria-pressed', isWatched)
  }
  button.addEventListener('click', async () => {
    if (isBusy) return
    isBusy = true
    try {
      if ((await ask('PUT', '/watches', { kind, name, watched: !isWatched })) === null) return
      isWatched = !isWatched
      draw()
      status.innerHTML = isWatched ? '<a href="/dashboard/watching">Your watch list</a>' : ''
    } catch (error) {
      status.textContent = error instanceof TypeError ? 'The server cannot be reached.' : error.message
    } finally {
      isBusy = false
    }
  })
  draw()
  watch = document.createElement('span')
  watch.append(button, ' ', status)
  link.replaceWith(watch)
}

show()
// Somebody has signed in or out in another tab, or comes back to this page.
addEventListener('storage', show)
addEventListener('pageshow', show)
