import { Ratecard } from '@ratecard/sdk'
import { smoke } from './smoke.js'

// A web page. Its server puts the settings into the global `settings`.

const { baseUrl, apiKey, secret } = globalThis.settings
globalThis.result = (async () => {
  const guarded = await new Ratecard({ baseUrl, apiKey }).usage.get().then(
    () => 'no error',
    (error) => error.message,
  )
  if (!guarded.includes('dangerouslyAllowBrowser'))
    throw new Error(`A page may use a key unasked: ${guarded}`)
  return smoke({ baseUrl, apiKey, secret, options: { dangerouslyAllowBrowser: true } })
})()
