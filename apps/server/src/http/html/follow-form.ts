import { nameFollowed } from '../../features/notices/follow-mail.ts'
import type { Followed } from '../../features/notices/follower-store.ts'
import { html, type Html } from './html.ts'

/** The field with which a page is followed. */
export function followForm(what: Followed): Html {
  return html`<form class="search panel follow" id="follow" method="post" action="/follow">
    <input type="hidden" name="kind" value="${what.kind}" /><input
      type="hidden"
      name="name"
      value="${what.name}"
    />
    <label class="field grow"
      ><span>Price changes of ${nameFollowed(what)} by email, one a day at most</span>
      <input
        type="email"
        name="email"
        maxlength="254"
        required
        autocomplete="email"
        placeholder="you@example.com"
    /></label>
    <button class="btn" type="submit">Follow</button>
  </form>`
}
