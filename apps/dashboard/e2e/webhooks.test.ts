import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { authorityFile } from '../../server/test/support/certificates.ts'
import { isSigned, startReceiver, type Received, type Receiver } from '../../server/test/support/receiver.ts'
import { allAccept, allRefuse, verdictsOf } from '../../server/test/support/standard-webhooks.ts'
import { inputDevices } from './actions.ts'
import { change, seededSettings } from './seed.ts'
import { closed, useBrowserSession } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('webhooks', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver?.close())
  const session = useBrowserSession(() => seededSettings(authorityFile))

  const publish = async (title: string): Promise<void> => {
    const file = join(tmpdir(), `ratecard-change-${process.pid}.json`)
    await writeFile(file, JSON.stringify([{ ...change, title }]))
    await session.product.ratecard('changes', 'publish', file)
  }

  test.each(inputDevices.map((device) => [device.name, device] as const))(
    'are added, tested, followed, given another secret, given standard headers, switched off and deleted by %s',
    async (handName, { press, write }) => {
      const path = `/hook/${handName.replaceAll(' ', '-')}`
      const arrived = (): Received[] => receiver.received.filter((item) => item.path === path)
      const page = await session.open('/webhooks')
      const dialog = page.getByRole('dialog')
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
      const secretShown = async () => {
        await inDialog('Copy secret').waitFor()
        return (await dialog.locator('code').allInnerTexts()).at(-1) ?? ''
      }
      const testArrives = async () => {
        const before = arrived().length
        await press(button('Send a test'))
        await page.getByText('It arrived.').waitFor()
        // The page shows the result of the test before as well, until the answer to this one comes.
        await expect.poll(() => arrived().length, { timeout: 10_000 }).toBe(before + 1)
        const last = arrived().at(-1)!
        expect(last.headers['x-svc-test']).toBe('true')
        return last
      }

      await press(button('Add a webhook'))
      const address = dialog.getByRole('textbox', { name: 'Address' })
      await write(address, 'http://hooks.customer.example')
      await dialog.getByText('must start with "https://"').waitFor()
      await write(address, receiver.url + path)
      await dialog.getByText('must start with "https://"').waitFor({ state: 'detached' })
      await press(inDialog('Add'))
      const secret = await secretShown()
      await press(inDialog('Done'))
      // Its page is fetched when it is opened for the first time.
      await page.getByRole('heading', { name: 'Try it out' }).waitFor()
      expect(await page.content(), 'a secret is shown once').not.toContain(secret)

      expect(isSigned(await testArrives(), secret)).toBe(true)

      await publish(`For the ${handName}`)
      const [delivery] = await receiver.waitFor(1, {
        wanted: (item) => item.path === path && item.headers['x-svc-test'] === undefined,
      })
      expect(delivery && isSigned(delivery, secret)).toBe(true)
      const entry = page.getByRole('listitem').filter({ hasText: 'delivered' })
      await entry.first().waitFor()
      await press(entry.first().locator('summary'))
      await page.getByRole('table', { name: 'Attempts of this delivery' }).first().waitFor()
      await press(entry.first().getByRole('button', { name: 'Send again' }))
      await receiver.waitFor(2, {
        wanted: (item) => item.path === path && item.headers['x-svc-test'] === undefined,
      })

      await press(button('Replace the secret'))
      await press(inDialog('Replace'))
      const next = await secretShown()
      await press(inDialog('Done'))
      await closed(dialog)
      expect(next).not.toBe(secret)
      const last = await testArrives()
      expect([isSigned(last, next), isSigned(last, secret)]).toEqual([true, false])

      // Without the headers there is nothing to verify.
      expect(verdictsOf(last, next)).toEqual(allRefuse)
      await press(button('Send the standard headers'))
      await button('Stop sending the standard headers').waitFor()
      await page.getByText('verify.mjs').waitFor()
      expect(verdictsOf(await testArrives(), next)).toEqual(allAccept)
      await press(button('Stop sending the standard headers'))
      await button('Send the standard headers').waitFor()
      expect(verdictsOf(await testArrives(), next)).toEqual(allRefuse)

      await press(button('Switch off'))
      await button('Switch on').waitFor()
      await press(button('Switch on'))
      await button('Switch off').waitFor()

      await press(button('Delete'))
      await press(inDialog('Delete'))
      await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
      await page.getByText(receiver.url + path).waitFor({ state: 'detached' })
      await page.context().close()
    },
  )
})
