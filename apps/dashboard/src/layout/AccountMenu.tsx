import { capitalize } from '@ratecard/contract/wording'
import { useMutation } from '@tanstack/react-query'
import { Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { Link, useLocation } from 'wouter'
import type { Schemas } from '../../contract/index.ts'
import { useLookAt } from '../api/account.ts'
import { call } from '../api/client.ts'
import { useLeave } from '../api/me.ts'
import { toast, toastOutcome } from '../components/Toast.tsx'
import { listRoutes } from '../routes.ts'
import { accountPlaces, isAt } from './navigation.ts'
import { chooseTheme, themes, useTheme, type Theme } from '../theme.ts'

const menuId = 'account-menu'

/**
 * What belongs to the account and the user: a button that opens a panel. The browser closes it by Escape and by a press
 * beside it, and gives the focus back. Arrows go through it.
 */
export function AccountMenu({ me }: { me: Schemas['Me'] }) {
  const menu = useRef<HTMLDivElement>(null)
  const [location] = useLocation()
  useEffect(() => {
    if (menu.current?.matches(':popover-open')) menu.current.hidePopover()
  }, [location])
  const { account, user } = me
  const name = account?.name ?? user.name
  return (
    <>
      <button
        type="button"
        className="who"
        popoverTarget={menuId}
        onKeyDown={(event) => openByArrow(event, menu.current)}
      >
        <Initial of={name} />
        <span className="who-name">
          <strong title={name}>
            <bdi>{name}</bdi>
          </strong>
          <span className="hint">{account ? planName(account.plan) : user.email}</span>
        </span>
        <span className="visually-hidden">: account menu</span>
        <ChevronsUpDown aria-hidden="true" />
      </button>
      <div ref={menu} id={menuId} className="menu" popover="auto" onKeyDown={moveByArrow}>
        <p className="menu-head">
          <bdi>{user.name}</bdi>
          <span className="hint">{user.email}</span>
        </p>
        <Accounts me={me} onDone={() => menu.current?.hidePopover()} />
        <nav aria-label="Account">
          <ul>
            {accountPlaces(listRoutes(me)).map((place) => (
              <li key={place.path}>
                <Link
                  className="place"
                  href={place.path}
                  aria-current={isAt(location, place) ? 'page' : undefined}
                >
                  <place.icon aria-hidden="true" />
                  <span>{place.label}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeChoice />
        <SignOut />
      </div>
    </>
  )
}

/** The account's other ones. Nothing for a user who has one alone. */
function Accounts({ me: { account, accounts }, onDone }: { me: Schemas['Me']; onDone: () => void }) {
  const { mutate } = useLookAt('POST /switch-account')
  if (accounts.length < 2) return null
  return (
    <div role="group" aria-label="Accounts" className="menu-accounts">
      {accounts.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="place"
          aria-pressed={id === account?.id}
          onClick={() => {
            onDone()
            if (id === account?.id) return
            mutate({ body: { account_id: id } }, toastOutcome(`You are looking at ${name}.`))
          }}
        >
          <Initial of={name} />
          <span>
            <bdi>{name}</bdi>
          </span>
          {id === account?.id && <Check aria-hidden="true" />}
        </button>
      ))}
    </div>
  )
}

function Initial({ of }: { of: string }) {
  const [first] = new Intl.Segmenter().segment(of.trim())
  return (
    <span className="initial" aria-hidden="true">
      {first?.segment.toUpperCase() ?? '?'}
    </span>
  )
}

const themeParts = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} satisfies Record<Theme, object>

function ThemeChoice() {
  const present = useTheme()
  return (
    <div role="group" aria-label="Theme" className="themes">
      {themes.map((theme) => {
        const { label, icon: Icon } = themeParts[theme]
        return (
          <button
            key={theme}
            type="button"
            aria-pressed={theme === present}
            onClick={() => chooseTheme(theme)}
          >
            <Icon aria-hidden="true" />
            {label}
          </button>
        )
      })}
    </div>
  )
}

function SignOut() {
  const leave = useLeave()
  const { mutate } = useMutation({
    mutationFn: () => call('POST /sign-out'),
    onSuccess: leave,
    onError: ({ message }) => toast(message),
  })
  return (
    <button type="button" className="place" onClick={() => mutate()}>
      <LogOut aria-hidden="true" />
      <span>Sign out</span>
    </button>
  )
}

function planName(plan: string): string {
  return `${capitalize(plan)} plan`
}

const steps: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowDown: (place, count) => (place + 1) % count,
  ArrowUp: (place, count) => (place + count - 1) % count,
  Home: () => 0,
  End: (_place, count) => count - 1,
}

function findItems(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('a[href], button')]
}

function moveByArrow(event: KeyboardEvent): void {
  const step = steps[event.key]
  if (!step) return
  event.preventDefault()
  const items = findItems(event.currentTarget)
  const place = items.findIndex((item) => item === document.activeElement)
  items[step(place, items.length)]?.focus()
}

function openByArrow(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (!menu || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
  event.preventDefault()
  menu.showPopover()
  findItems(menu)
    .at(event.key === 'ArrowDown' ? 0 : -1)
    ?.focus()
}
