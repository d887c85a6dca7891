import type { Locator, Page } from 'playwright-core'

/** How a user operates a page. Every flow is tested with each of them. */
export interface InputDevice {
  name: string
  /** Presses a button or follows a link. */
  press: (target: Locator) => Promise<void>
  /** Replaces the text of a field. */
  write: (field: Locator, text: string) => Promise<void>
  /** Chooses from a list by an option's label. */
  choose: (list: Locator, option: string) => Promise<void>
}

const mouse: InputDevice = {
  name: 'mouse',
  press: (target) => target.click(),
  write: (field, text) => field.fill(text),
  choose: async (list, option) => void (await list.selectOption({ label: option })),
}

// More than any page needs: a target that has no focus by then cannot be reached.
const tabsMax = 300

const keyboard: InputDevice = {
  name: 'keyboard alone',
  press: async (target) => {
    await reach(target)
    await target.page().keyboard.press('Enter')
  },
  write: async (field, text) => {
    await reach(field)
    const { keyboard } = field.page()
    await keyboard.press('ControlOrMeta+A')
    await keyboard.insertText(text)
  },
  choose: async (list, option) => {
    await reach(list)
    // A list selects the option whose name is typed.
    await list.page().keyboard.type(option)
  },
}

export const inputDevices = [mouse, keyboard]

/** Presses Tab until the target has the focus, as a user without a mouse must. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  for (let tabs = 0; tabs <= tabsMax; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`${tabsMax} times Tab, and ${String(target)} never had the focus.`)
}

/**
 * Walks a page with Tab from its beginning.
 * @returns elements that Tab does not reach, and elements that show no focus: both should be empty
 */
export async function walkWithTab(page: Page): Promise<{ unreached: string[]; unseen: string[] }> {
  await page.evaluate(() => {
    const describe = (element: Element) => {
      const text = element.getAttribute('aria-label') ?? element.textContent
      return `${element.tagName.toLowerCase()} “${(text || element.id).trim().slice(0, 60)}”`
    }
    const selector = 'a[href], button, input, select, textarea, summary, [tabindex]'
    const radioTaken = new Set<string>()
    const all = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => {
      if (element.tabIndex < 0 || element.matches(':disabled') || !element.checkVisibility()) return false
      // One of a group has the focus; arrows go to the others.
      if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true
      return !radioTaken.has(element.name) && radioTaken.add(element.name)
    })
    const walk = { left: new Set<Element>(all), unseen: new Set<string>(), describe }
    Object.assign(window, { walk })
  })
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    await page.keyboard.press('Tab')
    const left = await page.evaluate(() => {
      const { walk } = window as unknown as {
        walk: { left: Set<Element>; unseen: Set<string>; describe: (element: Element) => string }
      }
      const element = document.activeElement
      if (!element || element === document.body) return walk.left.size
      for (const one of walk.left) {
        const isSameGroup =
          element instanceof HTMLInputElement && one instanceof HTMLInputElement && one.type === 'radio'
        if (one === element || (isSameGroup && one.name === element.name)) walk.left.delete(one)
      }
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      const { width, height } = element.getBoundingClientRect()
      const hasMark = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      if (!hasMark || width <= 1 || height <= 1) walk.unseen.add(walk.describe(element))
      return walk.left.size
    })
    if (left === 0) break
  }
  return page.evaluate(() => {
    const { walk } = window as unknown as {
      walk: { left: Set<Element>; unseen: Set<string>; describe: (element: Element) => string }
    }
    return { unreached: [...walk.left].map(walk.describe), unseen: [...walk.unseen] }
  })
}

/** The label of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
  )
}
