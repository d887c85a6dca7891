import type { Followed } from '../../features/notices/follower-store.ts'
import { html, type Html } from './html.ts'
import { buildQuery, withQuery } from './inputs.ts'

/**
 * Leads to the sign-in page and back. For who is signed in, the script of the page makes a button of it that puts the
 * thing on the watch list and takes it off.
 */
export function watchButton(kind: Exclude<Followed['kind'], 'all'>, name: string, path: string): Html {
  return html`<a
    class="btn plain"
    href="${withQuery('/dashboard/sign-in', buildQuery({ next: path }))}"
    rel="nofollow"
    data-watch="${kind}"
    data-name="${name}"
    >Watch</a
  >`
}
