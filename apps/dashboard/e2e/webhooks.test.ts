import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { authorityFile } from '../../server/test/support/certificates.ts'
import { isSigned, startReceiver, type Received, type Receiver } from '../../server/test/support/receiver.ts'
import { allAccept, allRefuse, verdictsOf } from '../../server/test/support/standard-webhooks.ts'
import { inputDevices } from './actions.ts'
import { violations } from './axe.ts'
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
        await page.getByText('Delivered.').waitFor()
        // The page shows the result of the test before as well, until the answer to this one comes.
        await expect.poll(() => arrived().length).toBe(before + 1)
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
      await dialog.getByLabel('The new secret signs').selectOption('0')
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

  test('are told of some changes, show what was sent and what came back, and send again what failed', async () => {
    let status = 500
    receiver.behave('/desk', (res) =>
      res
        .writeHead(status, { 'content-type': 'text/html' })
        .end('<img src=x onerror="document.title=1">\u202eevil'),
    )
    const page = await session.open('/webhooks')
    const dialog = page.getByRole('dialog')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
    const arrived = () => receiver.received.filter(({ path }) => path === '/desk')

    await button('Add a webhook').click()
    await dialog.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/desk`)
    await dialog.getByRole('textbox', { name: 'Name (optional)' }).fill('Desk')
    await dialog.getByText('Only some changes').click()
    const vendors = dialog.getByRole('combobox', { name: 'Vendors' })
    await vendors.fill('openai')
    await vendors.press('Enter')
    // Enter takes the name; the form is not sent by it.
    await dialog.getByRole('button', { name: 'Remove openai' }).waitFor()
    await vendors.fill('nobody,')
    await dialog.getByRole('button', { name: 'Remove nobody' }).click()
    expect(await vendors.evaluate((input) => input === document.activeElement)).toBe(true)
    await dialog.getByLabel('Severity').selectOption('4')
    await dialog
      .getByRole('status')
      .filter({ hasText: /changes? of the last 90 days/ })
      .waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violations(page), colorScheme).toEqual([])
    }
    await inDialog('Add').click()
    await inDialog('Done').click()
    await page.getByRole('heading', { name: 'Desk', level: 1 }).waitFor()
    await page.getByText('Only vendor openai, severity 4 or more').waitFor()

    const publishAll = async (...changes: Partial<typeof change>[]) => {
      const file = join(tmpdir(), `ratecard-changes-${process.pid}.json`)
      await writeFile(file, JSON.stringify(changes.map((values) => ({ ...change, ...values }))))
      await session.product.ratecard('changes', 'publish', file)
    }
    await publishAll(
      { title: 'Wanted' },
      { title: 'Too small', severity: 3 },
      { title: 'Too', vendor: 'acme' },
    )
    await page.getByText('1 alert did not arrive.').waitFor()
    expect(arrived().map(({ alert }) => alert.changes.map(({ title }) => title))).toEqual([
      ['Wanted'],
      ['Wanted'],
    ])

    const entry = page.getByRole('listitem').filter({ hasText: 'given up' })
    await entry.getByText('Wanted').first().click()
    await entry.getByRole('link', { name: 'Payload and answer of each attempt' }).click()
    await page.getByRole('heading', { name: 'Wanted', level: 1 }).waitFor()
    const last = arrived().at(-1)!
    await page.getByText(last.headers['x-svc-signature'] as string).waitFor()
    await page.getByLabel('Byte for byte').check()
    const shown = page.getByRole('region', { name: 'Body of attempt 2', exact: true })
    expect(await shown.innerText()).toBe(last.body.toString())
    const answer = page.getByRole('region', { name: 'Body of the answer to attempt 2' })
    expect(await answer.innerText()).toBe('<img src=x onerror="document.title=1">evil')
    expect(await page.locator('img').count()).toBe(0)

    status = 200
    await page.getByRole('link', { name: 'Desk' }).click()
    await button('Send all failed again').click()
    await inDialog('Send').click()
    await page.getByText('Sent again: 1 alert.').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'sent again' })
      .filter({ hasText: 'delivered' })
      .waitFor()
    await page.getByText('did not arrive').waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('link', { name: 'as a later delivery' }).waitFor()

    // A secret that waits for its endpoint.
    await page.getByRole('link', { name: 'Desk' }).click()
    await button('Replace the secret').click()
    await inDialog('Replace').click()
    await inDialog('Done').click()
    await page.getByRole('heading', { name: 'A new secret is on its way' }).waitFor()
    await button('Keep the old one').click()
    await page.getByRole('heading', { name: 'A new secret is on its way' }).waitFor({ state: 'detached' })
    await button('Delete').click()
    await inDialog('Delete').click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.context().close()
  })

  test('at the limit of the plan say so before a form is filled in', async () => {
    const { ratecard, demo } = session.product
    const page = await session.open('/webhooks')
    const dialog = page.getByRole('dialog')
    for (const path of ['/one', '/two']) {
      await page.getByRole('button', { name: 'Add a webhook', exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url + path)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('link', { name: 'All webhooks' }).click()
    }
    await page.getByText('2 of 2 active webhooks').waitFor()
    await page.getByRole('button', { name: 'Add a webhook', exact: true }).click()
    await dialog.getByText('Your plan allows 2 active webhooks.').waitFor()
    expect(await dialog.getByRole('link', { name: 'upgrade' }).getAttribute('href')).toBe('/plans')
    expect(await dialog.getByRole('textbox').count()).toBe(0)
    // Two webhooks on one host are told apart.
    const host = new URL(receiver.url).host
    const list = await ratecard('webhooks', 'list', '--account', demo.account_id)
    expect([list.includes('/one'), list.includes('/two')]).toEqual([true, true])
    for (const path of ['/one', '/two'])
      expect(await page.getByRole('link', { name: host + path }).count()).toBe(1)
    await page.context().close()
  })
})
