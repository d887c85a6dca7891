import { useQuery } from '@tanstack/react-query'

interface CellHost {
  mark: string
  url: string
  /** Whether new accounts are made there. */
  sign_up: boolean
}

/** Where people of other cells sign in. The same for everybody: whether an address has an account is not asked. */
async function readCellHosts(): Promise<CellHost[]> {
  const answer = await fetch('/dashboard/cells.json')
  return answer.ok ? ((await answer.json()) as CellHost[]) : []
}

/** The cells that are elsewhere; none where there is one cell. */
function useOtherCells(): CellHost[] {
  const { data: cells = [] } = useQuery({
    queryKey: ['cell hosts'],
    queryFn: readCellHosts,
    staleTime: 'static',
    retry: false,
  })
  return cells.filter(({ url }) => url !== window.location.origin)
}

/** For who has an account in another cell. */
export function OtherCells() {
  const others = useOtherCells()
  if (others.length === 0) return null
  return (
    <details className="other-cells">
      <summary>Is your account at another address?</summary>
      <p className="soft">
        Your account is at one of these addresses. It is the one in the mails that you have from us, and your
        keys begin with its sign.
      </p>
      <ul>
        {others.map(({ mark, url }) => (
          <li key={mark}>
            <a href={`${url}/dashboard/sign-in${window.location.search}`}>{new URL(url).host}</a>{' '}
            {mark !== 'home' && (
              <span className="soft">
                keys <code>rc_live_{mark}…</code>
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Where new accounts are made, when that is another cell; null: here. */
export function useSignUpCell(): string | null {
  return useOtherCells().find((cell) => cell.sign_up)?.url ?? null
}
