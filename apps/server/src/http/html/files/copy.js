// A button at each snippet that copies it. Where there is no clipboard, as without https, there is none.
if (navigator.clipboard) {
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
