// Made from openapi.yaml by scripts/generate.ts (openapi-typescript). Do not edit: change openapi.yaml and run `pnpm generate`.
// SHA-256 of openapi.yaml: dad1e08b6c905308e263251401abf009515527770752d2401dc9fbc2e6be2f4c

export interface paths {
    "/dashboard/api/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Mails a link with which whoever reads the mail finishes signing up, within a day. Who has an account already is mailed that instead. The answer tells neither. Without SMTP the link is in the log of the server.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/finish-sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish signing up
         * @description Takes the token of the mailed link, once, makes the user, and signs them in.
         */
        post: operations["finishSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Sets the session cookie, HttpOnly and SameSite; or, for who has a second factor, a cookie for ten minutes in which to show it. Ten attempts a minute from one address; twenty failures an hour for one user, but for browsers that the user has signed in with before.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a second factor
         * @description After `signIn`. Sets the session cookie. Five attempts, then the password is asked for again.
         */
        post: operations["showSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/passkey-sign-in/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * @description Makes what a passkey of the user has to sign within five minutes, in this browser: a cookie says so.
         */
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/passkey-sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description After `beginPasskeySignIn`; the password and a code are not needed, since the device has verified its user. Sets the session cookie. Ten attempts a minute from one address.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends this session and removes its cookie. Does nothing when nobody is signed in.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/password-reset-mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link to choose a new password
         * @description The answer is the same whether or not the address is known.
         */
        post: operations["sendPasswordResetMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password
         * @description Takes the token of the mailed link, once. Ends every session of the user.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/mailed-link-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether a mailed link still works
         * @description Before somebody types a password for nothing. The link stays as it is.
         */
        post: operations["checkMailedLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Ends all other sessions of the user.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description The user, the account that is looked at with what its plan allows, and the accounts there are.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where the user is signed in
         * @description The sessions of the user, whichever account they look at.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End every session
         * @description Ends all sessions of the user, this one too.
         */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description The session is refused from its next request on.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/second-factor/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin with a second factor
         * @description Makes a secret for an authenticator app, and recovery codes. Both are shown only now. It holds from `confirmSecondFactor` on.
         */
        post: operations["setUpSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the second factor
         * @description Takes a code of the app. From now on signing in asks for one. All other sessions end.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes
         * @description The ones there were stop working.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/second-factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor
         * @description Signing in takes the password alone from now on.
         */
        post: operations["removeSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passkeys
         * @description Those of the user, whichever account they look at.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * @description After `beginPasskey`. From now on it signs the user in.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/passkeys/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * @description Makes what a new passkey has to sign within five minutes, in this browser: a cookie says so.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description Nothing else changes.
         */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/dashboard/api/passkeys/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a passkey
         * @description It signs the user in no more. All other sessions end.
         */
        post: operations["removePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/delete-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the user
         * @description Deletes the user for good, with every account that nobody else is a member of. Refused while there is an account with other members and no other owner, or one with a plan that renews.
         */
        post: operations["deleteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/switch-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at another account
         * @description This session looks at that account from now on.
         */
        post: operations["switchAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the account
         * @description For owners.
         */
        patch: operations["renameAccount"];
        trace?: never;
    };
    "/dashboard/api/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an account
         * @description For who is a member of none any more. Two a day, five in all.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/delete-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the account
         * @description For the only owner. Keys and webhooks stop working at once; packs are lost; members no longer see the account. Refused while a plan renews.
         */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members and invitations
         * @description Every member may see who else is.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description For owners; everybody may remove themselves. The last owner stays.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description For owners. The last owner stays one.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/dashboard/api/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite somebody
         * @description For owners. Mails a link that works for 7 days.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an invitation back
         * @description For owners. Its link stops working.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accept-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join an account
         * @description Takes the token of the mailed link, once, from the user whose address it was sent to. The session looks at that account from now on.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description What was done to keys, webhooks, members, what proves who they are, and billing, newest first.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/audit-log.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as a file
         * @description The newest 10,000 entries as RFC 4180, in UTF-8. Values that a spreadsheet would take for a formula are quoted with an apostrophe.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description On the first page every key that works, oldest first, then as many as the limit allows of those that are refused, the one that ended last first. The other pages go on with those.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description The key is in this answer and nowhere else.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a key
         * @description Nothing else changes.
         */
        patch: operations["renameKey"];
        trace?: never;
    };
    "/dashboard/api/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key
         * @description Makes a new key with the name and the daily quota of the old one, which goes on for the grace period. A key that is revoked, or was rotated already, is answered with 409.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key
         * @description The key is refused from the next request on, for good.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{id}/expiry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set when a key expires
         * @description Sooner, later or never. A key that has ended, or was rotated already, is answered with 409.
         */
        post: operations["setKeyExpiry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the request log
         * @description Requests of the last days, refused ones included, newest first. Of very many that are alike some are listed; the others are counted.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/first-steps/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the first steps away
         * @description For all members of the account, for good.
         */
        post: operations["endFirstSteps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the account stands
         * @description Quotas of today, packs, the last 30 days and what failed lately.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage by day, key and endpoint
         * @description Straight from the ledger: what a response counted is already in it. 30 days when no span is given.
         */
        get: operations["getUsageReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/usage.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as a file
         * @description RFC 4180, in UTF-8. Values that a spreadsheet would take for a formula are quoted with an apostrophe.
         */
        get: operations["exportUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All price records at once
         * @description One answer with a list per field, so that the page searches and filters without asking again: 13,000 records are about 300 KB compressed. Answers 304 to an `If-None-Match` with the `ETag` of the present version.
         */
        get: operations["getPriceTable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/price-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All prices with all that is stored of them, as a file
         * @description The snapshot: rate cards, announced prices, aliases, and who says so. It is made in the background, once for each version of the list and day. Answers 304 to an `If-None-Match` with the `ETag` of the present one, and 503 while it is being made for too long.
         */
        get: operations["getPriceFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/price-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a record has said over time
         * @description Every state in which the record was served.
         */
        get: operations["getPriceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/model-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a model costs on all platforms
         * @description Every price of a product with its rate card and what is announced, at most 150, in the order of ids.
         */
        get: operations["getModelPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/price-record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is stored about a record
         * @description The whole rate card, announced prices, who says so since when, and what waits. The history is apart.
         */
        get: operations["getPriceRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List published changes
         * @description Newest first. Plans without changes see summaries.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/change-facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changes can be filtered by
         * @description Every vendor and category of a published change.
         */
        get: operations["listChangeFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One change
         * @description As much of it as the plan shows.
         */
        get: operations["getChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description Oldest first, page by page.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a subscription
         * @description The secret is in this answer and nowhere else.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/webhook-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check an address as it is typed
         * @description Says what to change about it. Nothing is sent to it.
         */
        post: operations["checkWebhookUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/webhook-filter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a filter would have let through
         * @description Counts the changes of the last 90 days. A name that nothing has yet is no mistake. Nothing is stored.
         */
        post: operations["previewWebhookFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/webhook-filter-names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What filters can name
         * @description The vendors and products that prices and changes have.
         */
        get: operations["listWebhookFilterNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One subscription
         * @description With what became of the latest attempt.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * @description What is queued for it is cancelled.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Alter a subscription
         * @description Address, events, on or off, and the headers of Standard Webhooks.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/dashboard/api/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret
         * @description Deliveries are signed with the new one from the next attempt on. It is in this answer and nowhere else.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Sends an alert marked as a test and waits for the answer. It is not retried and not in the list of deliveries.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/webhooks/{id}/resend-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what failed
         * @description A new delivery for each alert that failed and is not on its way again, the oldest first, at most 100 at a time.
         */
        post: operations["resendFailedDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first with every attempt, those to deleted subscriptions too.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery with its attempts
         * @description Status, duration and error of each, and what to do.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/deliveries/{id}/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What went over the line in an attempt
         * @description The exact request, and the beginning of the answer. Kept for 7 days, and of the latest 2,000 attempts of an account.
         */
        get: operations["getExchange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description A new delivery of the same alert to the same subscription.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the user watches
         * @description The products and vendors that the user watches in this account, with today's price, the last change and what is announced. At most 200.
         */
        get: operations["listWatches"];
        /**
         * Watch something, or no longer
         * @description Puts a product or a vendor on the user's watch list of this account, or takes it off. The same request twice is as good as once. 409 when the list is full.
         */
        put: operations["setWatch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the user is mailed
         * @description The kinds of mails with whether the user wants them, over all accounts, and what the user was told lately, mailed or not.
         */
        get: operations["getNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose what is mailed
         * @description Changes what is named and leaves the rest.
         */
        patch: operations["changeNotifications"];
        trace?: never;
    };
    "/dashboard/api/review/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits
         * @description Price moves that wait for an operator, the oldest first, and the sources whose last run was not taken in. For a user who is no operator there is nothing at this address, as at the others of this tag.
         */
        get: operations["listHolds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/review/holds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One move, with its evidence
         * @description What every source claims of the resource, what is served and why, and what its product costs on other platforms.
         */
        get: operations["getHold"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/review/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept moves
         * @description Serves what waits from now on, and publishes it as the moves it is, which alerts subscriptions, or as corrections, which alert nobody. All of them are decided, or none. Asks for the present password: what a stolen session could publish would reach every customer.
         */
        post: operations["acceptHolds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/review/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject moves
         * @description Keeps what is served. The same amounts are not held again. All of them are decided, or none. Asks for the present password.
         */
        post: operations["rejectHolds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/review/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the sources stand
         * @description The last run of each source, how old its data is, and how many prices two independent sources confirm.
         */
        get: operations["listFeedSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plan, what was bought and what can be
         * @description Whether anything can be bought here depends on the installation.
         */
        get: operations["getBilling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to buy
         * @description For owners. Answers with a page of the payment provider; what was bought is there when the payment is.
         */
        post: operations["createCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the provider's page
         * @description For owners: invoices, cards, cancelling.
         */
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/billing/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of Stripe
         * @description For Stripe alone: signed over the raw body. An event delivered again changes nothing. 404 where Stripe is not set up.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Identifies a thing of the account. */
        Id: string;
        /** @description A value to compare with, exactly and case-sensitively. No control characters. */
        ExactFilter: string;
        /** @description The `resource_id` of a price record. */
        ResourceId: string;
        /** @description An opaque position in a list, in the characters of unpadded base64url. */
        CursorText: string;
        /**
         * Format: date-time
         * @description An instant in UTC, with six decimals and `Z`. Sorts as text.
         * @example 2026-11-21T09:30:00.123456Z
         */
        Timestamp: string;
        /**
         * Format: date-time
         * @description An instant in UTC, with six decimals and `Z`; null when there is none.
         * @example 2026-11-21T09:30:00.123456Z
         */
        OptionalTimestamp: string | null;
        /**
         * Format: date
         * @description A UTC day.
         * @example 2026-11-21
         */
        Day: string;
        /** @description A number of requests. */
        Units: number;
        /**
         * @description A name for people: 1 to 100 characters, no control characters and none that turns the direction of the text after it.
         * @example CI pipeline
         */
        Name: string;
        /**
         * Format: email
         * @description An e-mail address.
         * @example ada@customer.example
         */
        Email: string;
        /** @description A password: 12 to 128 characters. */
        Password: string;
        /** @description The token of a link in an e-mail. */
        MailedToken: string;
        /**
         * @description What a member may do. An owner also manages members, billing and the name of the account.
         * @enum {string}
         */
        Role: "owner" | "member";
        /**
         * @description A plan.
         * @enum {string}
         */
        Plan: "free" | "developer" | "scale" | "team" | "enterprise";
        /**
         * @description Under which name usage is counted.
         * @enum {string}
         */
        Endpoint: "prices" | "changes" | "webhooks";
        /**
         * @description What went wrong, for programs.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "not_signed_in" | "wrong_credentials" | "cross_site" | "owner_only" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "key_limit_reached" | "webhook_limit_reached" | "last_owner" | "no_account" | "other_account" | "billing_unavailable" | "payload_too_large" | "unsupported_media_type" | "too_many_attempts" | "internal_error" | "service_unavailable";
        /** @description What went wrong. */
        ErrorBody: {
            /** @description What went wrong, for programs. */
            error: components["schemas"]["ErrorCode"];
            /** @description A sentence for people: what to do next. */
            message: string;
            /** @description The HTTP status again. */
            status: number;
        };
        /** @description How to get the next page. Absent on the last one. */
        Pagination: {
            /** @description Pass it back unchanged as `cursor`. */
            next_cursor: components["schemas"]["CursorText"];
        };
        /** @description Says that it was done. */
        Done: {
            /**
             * @description Always true.
             * @constant
             */
            success: true;
        };
        /** @description Who signs up. */
        FinishSignUpInput: {
            /** @description The token of the link. */
            token: components["schemas"]["MailedToken"];
            /** @description How the person is called. */
            name: components["schemas"]["Name"];
            /** @description The password to sign in with. */
            password: components["schemas"]["Password"];
        };
        /** @description Confirms what is done by the present password. */
        PasswordInput: {
            /** @description The present password. */
            password: components["schemas"]["Password"];
        };
        /** @description Confirms what is done by the present password and the second factor. */
        PasswordAndCodeInput: {
            /** @description The present password. */
            password: components["schemas"]["Password"];
            /** @description A code of the app, or a recovery code. */
            code: components["schemas"]["Code"];
        };
        /** @description A code for the second factor. */
        CodeInput: {
            /** @description A code of the app, or a recovery code. */
            code: components["schemas"]["Code"];
        };
        /** @description Six digits of the app, or a recovery code such as abCd3-FgHi5. */
        Code: string;
        /** @description Whether a second factor is asked for. */
        SignInResult: {
            /**
             * @description Always true.
             * @constant
             */
            success: true;
            /** @description Whether `showSecondFactor` has to follow before there is a session. */
            needs_second_factor: boolean;
        };
        /** @description What to enter into an authenticator app. Shown only now. */
        SecondFactorSetup: {
            /** @description The secret, for who types it. */
            secret: string;
            /** @description The same as a QR code carries it. */
            uri: string;
            /** @description Each replaces the app once. */
            recovery_codes: string[];
        };
        /** @description What to enter into an authenticator app. */
        SecondFactorSetupResult: {
            /** @description Shown only now. */
            data: components["schemas"]["SecondFactorSetup"];
        };
        /** @description What replaces the app. */
        RecoveryCodes: {
            /** @description Each works once. */
            recovery_codes: string[];
        };
        /** @description New recovery codes. */
        RecoveryCodesResult: {
            /** @description Shown only now. */
            data: components["schemas"]["RecoveryCodes"];
        };
        /** @description Bytes, as base64url without padding. */
        Base64Url: string;
        /** @description Who has to show a passkey. */
        PasskeyAskInput: {
            /** @description Whether it takes the place of a code, after `signIn`; else whoever has a passkey signs in. */
            in_place_of_code: boolean;
        };
        /** @description Confirms that it is the user who adds a passkey. */
        PasskeyStartInput: {
            /** @description The present password. */
            password: components["schemas"]["Password"];
            /** @description A code of the app, or a recovery code, of who has a second factor. */
            code?: components["schemas"]["Code"];
        };
        /** @description What a passkey has to sign, and where. */
        PasskeyChallenge: {
            /** @description Random bytes. */
            challenge: components["schemas"]["Base64Url"];
            /** @description The host that the passkey is bound to. */
            host: string;
            /** @description Those that may sign, or that there are already. None to sign in without a password. */
            credentials: components["schemas"]["Base64Url"][];
        };
        /** @description What to sign. */
        PasskeyChallengeResult: {
            /** @description It holds for five minutes, once. */
            data: components["schemas"]["PasskeyChallenge"];
        };
        /** @description What a passkey has signed. */
        PasskeySignature: {
            /** @description Which passkey. */
            credential: components["schemas"]["Base64Url"];
            /** @description What the browser says of the challenge and the page. */
            client_data: components["schemas"]["Base64Url"];
            /** @description What the device says of itself and its user. */
            authenticator_data: components["schemas"]["Base64Url"];
            /** @description Over both. */
            signature: components["schemas"]["Base64Url"];
            /** @description Whose the passkey is, as the device knows it; null: it does not. */
            user_handle: components["schemas"]["Base64Url"] | null;
        };
        /** @description What a device has made. */
        PasskeyInput: {
            /** @description How people call it. */
            name: components["schemas"]["Name"];
            /** @description By which the device finds it. */
            credential: components["schemas"]["Base64Url"];
            /** @description What the browser says of the challenge and the page. */
            client_data: components["schemas"]["Base64Url"];
            /** @description The public key, with what the device says of itself and its user. */
            attestation: components["schemas"]["Base64Url"];
        };
        /** @description A key on a device of the user. */
        Passkey: {
            /** @description Identifies the passkey. */
            id: components["schemas"]["Id"];
            /** @description How people call it. */
            name: components["schemas"]["Name"];
            /** @description When it was added. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it signed the user in last; null: never. */
            last_used_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description One passkey. */
        PasskeyResult: {
            /** @description The passkey. */
            data: components["schemas"]["Passkey"];
        };
        /** @description The user's passkeys. */
        PasskeyList: {
            /** @description Oldest first. */
            data: components["schemas"]["Passkey"][];
        };
        /** @description Credentials. */
        SignInInput: {
            /** @description The address of the user. */
            email: components["schemas"]["Email"];
            /** @description The password of the user. One that is too short to be any user's is answered as a wrong one. */
            password: string;
            /**
             * @description Whether the session outlives the browser: 30 days, else until it is closed.
             * @default true
             */
            remember?: boolean;
        };
        /** @description Where to send a link. */
        EmailInput: {
            /** @description The address of the user. */
            email: components["schemas"]["Email"];
        };
        /** @description What a mailed link carries. */
        TokenInput: {
            /** @description The token of the link. */
            token: components["schemas"]["MailedToken"];
        };
        /** @description A new password for who holds the link. */
        PasswordResetInput: {
            /** @description The token of the link. */
            token: components["schemas"]["MailedToken"];
            /** @description The new password. */
            password: components["schemas"]["Password"];
        };
        /** @description A link that was mailed to somebody. */
        MailedLinkInput: {
            /**
             * @description What it is for.
             * @enum {string}
             */
            kind: "sign-up" | "password-reset";
            /** @description The token of the link. */
            token: components["schemas"]["MailedToken"];
        };
        /** @description A new password for who knows the present one. All other sessions end. */
        PasswordChangeInput: {
            /** @description The present password. */
            current_password: components["schemas"]["Password"];
            /** @description The new one. */
            new_password: components["schemas"]["Password"];
        };
        /** @description An account the user is a member of. */
        AccountSummary: {
            /** @description Identifies the account. */
            id: components["schemas"]["Id"];
            /** @description How the account is called. */
            name: components["schemas"]["Name"];
            /** @description What the user may do in it. */
            role: components["schemas"]["Role"];
        };
        /** @description Who is signed in. */
        User: {
            /** @description Identifies the user. */
            id: components["schemas"]["Id"];
            /** @description How the person is called. */
            name: components["schemas"]["Name"];
            /** @description The verified address. */
            email: components["schemas"]["Email"];
            /** @description Whether signing in asks for a second factor. */
            has_second_factor: boolean;
        };
        /** @description The account that this session looks at. */
        Account: {
            /** @description Identifies the account. */
            id: components["schemas"]["Id"];
            /** @description How it is called. */
            name: components["schemas"]["Name"];
            /** @description What the user may do in it. */
            role: components["schemas"]["Role"];
            /** @description The largest current plan. */
            plan: components["schemas"]["Plan"];
            /** @description Requests per key and UTC day. */
            daily_limit: components["schemas"]["Units"];
            /** @description Active keys the account may hold. */
            keys_max: number;
            /** @description Active webhooks the account may have; null: as many as it likes. */
            active_webhooks_max: number | null;
            /**
             * @description How much of a change the plan shows.
             * @enum {string}
             */
            change_access: "summary" | "full";
        };
        /** @description Who is signed in, and the account that is looked at. */
        Me: {
            /** @description Who is signed in. */
            user: components["schemas"]["User"];
            /** @description The account of this session; null: the user is a member of none. */
            account: components["schemas"]["Account"] | null;
            /** @description Every account the user is a member of. */
            accounts: components["schemas"]["AccountSummary"][];
            /** @description What an operator of this installation has to do; null: the user is none. */
            operator: components["schemas"]["Operator"] | null;
            /** @description The clock of the service. */
            now: components["schemas"]["Timestamp"];
        };
        /** @description Who is signed in. */
        MeResult: {
            /** @description Who is signed in. */
            data: components["schemas"]["Me"];
        };
        /** @description The account to look at. */
        SwitchInput: {
            /** @description One of `accounts`. */
            account_id: components["schemas"]["Id"];
        };
        /** @description A new name. */
        RenameInput: {
            /** @description The new name. */
            name: components["schemas"]["Name"];
        };
        /**
         * @description What is watched.
         * @enum {string}
         */
        WatchKind: "product" | "vendor";
        /** @description As changes name it; of a record without a product its resource. */
        WatchName: string;
        /** @description What to watch, or no longer. */
        WatchInput: {
            /** @description A product or a vendor. */
            kind: components["schemas"]["WatchKind"];
            /** @description Its name. */
            name: components["schemas"]["WatchName"];
            /** @description Whether it shall be on the list. */
            watched: boolean;
        };
        /** @description What a product costs where it costs least. */
        WatchedPrice: {
            /** @description The record. */
            resource_id: string;
            /** @description Where one pays. */
            platform: string;
            /** @description Per million input tokens. */
            input_per_mtok: number | null;
            /** @description Per million output tokens. */
            output_per_mtok: number | null;
            /** @description Per million input tokens read from a cache. */
            cached_input_per_mtok: number | null;
            /** @description Per image. */
            image_per_unit: number | null;
            /** @description Per minute of audio. */
            audio_per_min: number | null;
            /** @description Per second of video. */
            video_per_sec: number | null;
            /** @description Of the amounts. */
            currency: string | null;
        };
        /** @description The next price that a source announces. */
        WatchedAnnouncement: {
            /** @description The record. */
            resource_id: string;
            /** @description Its first day. */
            starts_on: components["schemas"]["Day"];
            /** @description Per million input tokens. */
            input_per_mtok: number | null;
            /** @description Per million output tokens. */
            output_per_mtok: number | null;
            /** @description Per million input tokens read from a cache. */
            cached_input_per_mtok: number | null;
            /** @description Per image. */
            image_per_unit: number | null;
            /** @description Per minute of audio. */
            audio_per_min: number | null;
            /** @description Per second of video. */
            video_per_sec: number | null;
            /** @description Of the amounts. */
            currency: string | null;
        };
        /** @description The change that was published last. */
        LastChange: {
            /** @description Identifies the change. */
            id: components["schemas"]["Id"];
            /** @description The change in a line. */
            title: string;
            /** @description From 1 to 5. */
            severity: number;
            /** @description When it was published. */
            at: components["schemas"]["Timestamp"];
        };
        /** @description Something that the user watches. */
        Watch: {
            /** @description A product or a vendor. */
            kind: components["schemas"]["WatchKind"];
            /** @description Its name. */
            name: components["schemas"]["WatchName"];
            /** @description What people call it. */
            title: string;
            /** @description When it was put on the list. */
            watched_since: components["schemas"]["Timestamp"];
            /** @description The maker; null when neither a price nor a change names it any more. */
            vendor: string | null;
            /** @description How many products have a price. */
            products: components["schemas"]["Units"];
            /** @description How many platforms sell it. */
            platforms: components["schemas"]["Units"];
            /** @description How many price records it has. */
            records: components["schemas"]["Units"];
            /** @description Of a product, where it costs least; null when no amount is known. */
            cheapest: components["schemas"]["WatchedPrice"] | null;
            /** @description Null when there is none. */
            last_change: components["schemas"]["LastChange"] | null;
            /** @description Null when none is announced. */
            announced: components["schemas"]["WatchedAnnouncement"] | null;
            /** @description The first day on which one of its models is retired; null when none is known. */
            retires_on: components["schemas"]["Day"] | null;
        };
        /** @description What the user watches. */
        WatchList: {
            /** @description Products first, by name. */
            data: components["schemas"]["Watch"][];
            /** @description How many a list holds. */
            max: components["schemas"]["Units"];
        };
        /**
         * @description What a mail is about.
         * @enum {string}
         */
        NoticeKind: "quota" | "packs" | "webhooks" | "keys" | "watched";
        /** @description Which kinds are mailed. */
        NoticeKinds: {
            /** @description 80 and 100 % of the daily quota of a key. */
            quota: boolean;
            /** @description Packs that are nearly used up, and packs that end in a week. */
            packs: boolean;
            /** @description Webhooks that fail for a day, or were switched off. */
            webhooks: boolean;
            /** @description Keys that expire in a week. */
            keys: boolean;
            /** @description Changes of what is on the watch list. */
            watched: boolean;
        };
        /** @description From this severity on, a change of what is watched is mailed at once; null, all of them once a day. */
        NoticeSeverity: number | null;
        /** @description What to change. */
        NotificationsInput: {
            /** @description 80 and 100 % of the daily quota of a key. */
            quota?: boolean;
            /** @description Packs that are nearly used up, and packs that end in a week. */
            packs?: boolean;
            /** @description Webhooks that fail for a day, or were switched off. */
            webhooks?: boolean;
            /** @description Keys that expire in a week. */
            keys?: boolean;
            /** @description Changes of what is on the watch list. */
            watched?: boolean;
            /** @description What is mailed at once. */
            at_once_severity?: components["schemas"]["NoticeSeverity"];
        };
        /** @description The account that a notice is about. */
        NoticeAccount: {
            /** @description Identifies the account. */
            id: components["schemas"]["Id"];
            /** @description Its name. */
            name: components["schemas"]["Name"];
        };
        /** @description Something that the user was told. */
        Notice: {
            /** @description Identifies the notice. */
            id: components["schemas"]["Id"];
            /** @description What it is about. */
            kind: components["schemas"]["NoticeKind"];
            /** @description Of which account. */
            account: components["schemas"]["NoticeAccount"];
            /** @description When it was found. */
            at: components["schemas"]["Timestamp"];
            /** @description What has happened, in a line. */
            subject: string;
            /** @description The page for it, below the dashboard. */
            path: string;
            /**
             * @description What became of its mail: it waits; it was mailed, alone or collected with others; the mailbox refused it; such mails are switched off; or the server cannot mail.
             * @enum {string}
             */
            outcome: "waiting" | "mailed" | "collected" | "refused" | "off" | "not_mailed";
        };
        /** @description What the user is mailed. */
        Notifications: {
            /** @description Where mails go. */
            email: components["schemas"]["Email"];
            /** @description Whether the server has a mail server. */
            can_mail: boolean;
            /** @description Which kinds are mailed. */
            kinds: components["schemas"]["NoticeKinds"];
            /** @description What is mailed at once. */
            at_once_severity: components["schemas"]["NoticeSeverity"];
            /** @description What the user was told in the last 60 days, latest first. */
            notices: components["schemas"]["Notice"][];
        };
        /** @description What the user is mailed. */
        NotificationsResult: {
            /** @description What the user is mailed. */
            data: components["schemas"]["Notifications"];
        };
        /** @description Somewhere the user is signed in. */
        Session: {
            /** @description Identifies the session; not its secret. */
            id: components["schemas"]["Id"];
            /** @description Whether it is the one that asks. */
            current: boolean;
            /** @description The browser, as it names itself. */
            user_agent: string | null;
            /** @description Where it signed in from. */
            ip_address: string | null;
            /** @description When it began. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last renewed; that happens once a day. */
            last_seen_at: components["schemas"]["Timestamp"];
            /** @description When it ends by itself. */
            expires_at: components["schemas"]["Timestamp"];
        };
        /** @description The sessions of the user. */
        SessionList: {
            /** @description Newest first. */
            data: components["schemas"]["Session"][];
        };
        /** @description A user with access to the account. */
        Member: {
            /** @description Identifies the user. */
            user_id: components["schemas"]["Id"];
            /** @description How the person is called. */
            name: components["schemas"]["Name"];
            /** @description The address. */
            email: components["schemas"]["Email"];
            /** @description What the user may do. */
            role: components["schemas"]["Role"];
            /** @description Since when. */
            joined_at: components["schemas"]["Timestamp"];
        };
        /** @description Somebody who was asked to join. */
        Invitation: {
            /** @description Identifies the invitation. */
            id: components["schemas"]["Id"];
            /** @description Where it was sent. */
            email: components["schemas"]["Email"];
            /** @description What they will be. */
            role: components["schemas"]["Role"];
            /** @description When it was sent. */
            invited_at: components["schemas"]["Timestamp"];
            /** @description When its link stops working: after 7 days. */
            expires_at: components["schemas"]["Timestamp"];
        };
        /** @description Who has access. */
        MemberList: {
            /** @description The members, owners first. */
            data: components["schemas"]["Member"][];
            /** @description Those who have not answered yet. */
            invitations: components["schemas"]["Invitation"][];
        };
        /** @description Whom to ask. */
        InvitationInput: {
            /** @description Where to send the link. */
            email: components["schemas"]["Email"];
            /** @description What they will be. */
            role: components["schemas"]["Role"];
        };
        /** @description One invitation. */
        InvitationResult: {
            /** @description The invitation. */
            data: components["schemas"]["Invitation"];
        };
        /** @description A new role. */
        RoleInput: {
            /** @description The new role. */
            role: components["schemas"]["Role"];
        };
        /** @description One member. */
        MemberResult: {
            /** @description The member. */
            data: components["schemas"]["Member"];
        };
        /** @description An API key. The key itself is shown once, when it is made. */
        Key: {
            /** @description Identifies the key. */
            id: components["schemas"]["Id"];
            /** @description How it is called. */
            name: components["schemas"]["Name"];
            /** @description How it begins. */
            prefix: string;
            /** @description How it ends. */
            last_four: string;
            /** @description What it may ask for. */
            scope: components["schemas"]["KeyScope"];
            /**
             * @description `ending`: it was rotated and works until `revoked_at`. `expired`: it is refused since `expires_at`.
             * @enum {string}
             */
            state: "active" | "ending" | "revoked" | "expired";
            /** @description Other keys that count on the same daily quota. */
            shares_quota_with: components["schemas"]["Id"][];
            /** @description Requests with this key on the present UTC day. */
            used_today: components["schemas"]["Units"];
            /** @description Requests with this key on the present UTC day and the 29 before it. */
            used_30_days: components["schemas"]["Units"];
            /** @description Taken today from the key's daily quota by keys that have ended. A key made on the day on which another ended goes on with its quota. */
            used_by_ended_today: components["schemas"]["Units"];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description From when on it is refused, because it was revoked or rotated; null: it was not. */
            revoked_at: components["schemas"]["OptionalTimestamp"];
            /** @description When it expires; null: never. */
            expires_at: components["schemas"]["OptionalTimestamp"];
            /** @description From when on it is refused, whatever the reason; null: it is not. */
            ends_at: components["schemas"]["OptionalTimestamp"];
            /** @description When it last paid a request. */
            last_used_at: components["schemas"]["OptionalTimestamp"];
        };
        /**
         * @description `all`: all that the plan includes. `prices`: prices alone.
         * @enum {string}
         */
        KeyScope: "all" | "prices";
        /** @description A new key. */
        KeyInput: {
            /** @description How it is called. */
            name: components["schemas"]["Name"];
            /** @description What it may ask for; all that the plan includes when it is left out. */
            scope?: components["schemas"]["KeyScope"];
            /** @description From when on it is refused, within five years; null: never. */
            expires_at?: components["schemas"]["OptionalTimestamp"];
        };
        /** @description When a key expires. */
        ExpiryInput: {
            /** @description From when on it is refused, within five years; null: never. */
            expires_at: components["schemas"]["OptionalTimestamp"];
        };
        /** @description A key that was just made. */
        NewKey: {
            /** @description The key itself. It is shown only now. */
            key: string;
            /** @description What stays of it. */
            record: components["schemas"]["Key"];
        };
        /** @description The keys of the account. */
        KeyList: {
            /** @description Those that work first. */
            data: components["schemas"]["Key"][];
            /** @description Where the next page begins; left out on the last page. */
            pagination?: components["schemas"]["Pagination"];
            /** @description How many count towards the limit. */
            active: number;
            /** @description How many the plan allows. */
            active_max: number;
        };
        /** @description A new key. */
        NewKeyResult: {
            /** @description The key, shown only now. */
            data: components["schemas"]["NewKey"];
        };
        /** @description One key. */
        KeyResult: {
            /** @description The key. */
            data: components["schemas"]["Key"];
        };
        /** @description How long the old key goes on. */
        RotateInput: {
            /**
             * @description Seconds for which the old key goes on working, sharing the daily quota of the new one.
             * @default 0
             */
            grace_seconds?: number;
        };
        /** @description Where a daily quota stands, with the keys that draw on it. */
        Quota: {
            /** @description The key, and those it was rotated from that still work. The newest first. */
            key_ids: components["schemas"]["Id"][];
            /** @description How the newest is called. */
            name: components["schemas"]["Name"];
            /** @description Taken from it today. */
            used: components["schemas"]["Units"];
            /** @description Of that, by keys that have ended. */
            used_by_ended: components["schemas"]["Units"];
            /** @description Requests per UTC day of the plan. */
            limit: components["schemas"]["Units"];
        };
        /** @description A top-up pack. */
        Pack: {
            /** @description Identifies the pack. */
            id: components["schemas"]["Id"];
            /** @description What it held. */
            units: components["schemas"]["Units"];
            /** @description What is left. */
            remaining: components["schemas"]["Units"];
            /**
             * @description Whether it pays. `voided`: the payment was refunded or disputed.
             * @enum {string}
             */
            state: "live" | "empty" | "expired" | "voided";
            /** @description When it was bought. */
            purchased_at: components["schemas"]["Timestamp"];
            /** @description When it stops paying. */
            expires_at: components["schemas"]["Timestamp"];
        };
        /** @description Requests of a key to an endpoint on a day. */
        UsageRow: {
            /** @description The UTC day. */
            day: components["schemas"]["Day"];
            /** @description The key. */
            key_id: components["schemas"]["Id"];
            /** @description The endpoint. */
            endpoint: components["schemas"]["Endpoint"];
            /**
             * @description Whether the daily quota or a pack paid.
             * @enum {string}
             */
            paid_by: "plan" | "pack";
            /** @description How many. */
            units: components["schemas"]["Units"];
        };
        /** @description Requests of all keys to an endpoint on a day. */
        DayUsageRow: {
            /** @description The UTC day. */
            day: components["schemas"]["Day"];
            /** @description The endpoint. */
            endpoint: components["schemas"]["Endpoint"];
            /**
             * @description Whether daily quotas or packs paid.
             * @enum {string}
             */
            paid_by: "plan" | "pack";
            /** @description How many. */
            units: components["schemas"]["Units"];
        };
        /** @description Requests in a span of days, straight from the ledger. Days without any are left out. */
        Usage: {
            /** @description The first day. */
            from: components["schemas"]["Day"];
            /** @description The last day. */
            to: components["schemas"]["Day"];
            /** @description The present UTC day. */
            today: components["schemas"]["Day"];
            /** @description The sum of all rows. */
            total: components["schemas"]["Units"];
            /** @description By day, key and endpoint. */
            rows: components["schemas"]["UsageRow"][];
        };
        /** @description Requests in a span of days. */
        UsageResult: {
            /** @description The requests. */
            data: components["schemas"]["Usage"];
        };
        /** @description A delivery that did not arrive. */
        Failure: {
            /** @description The delivery. */
            delivery_id: components["schemas"]["Id"];
            /** @description The subscription. */
            webhook_id: components["schemas"]["Id"];
            /** @description The name of the subscription; null: it goes by its address. */
            name: string | null;
            /** @description Where it was sent. */
            url: string;
            /** @description The title of the first change it tells of; null: that is gone. */
            title: string | null;
            /** @description How many changes it tells of. */
            change_count: number;
            /**
             * @description `pending`: it is tried again. `exhausted`: it was given up.
             * @enum {string}
             */
            state: "pending" | "exhausted";
            /** @description What went wrong last. */
            error: string;
            /** @description When the last attempt began. */
            at: components["schemas"]["Timestamp"];
            /** @description When it is tried again; null: it is not. */
            next_attempt_at: components["schemas"]["OptionalTimestamp"];
        };
        /** @description Where the account stands. */
        Overview: {
            /** @description The present UTC day. */
            day: components["schemas"]["Day"];
            /** @description When daily quotas start again. */
            resets_at: components["schemas"]["Timestamp"];
            /** @description Those of the keys that work, oldest first. */
            quotas: components["schemas"]["Quota"][];
            /** @description Requests of all keys today, whoever paid. */
            used_today: components["schemas"]["Units"];
            /** @description Live packs, in the order in which they are used. */
            packs: components["schemas"]["Pack"][];
            /** @description The last 30 days: `day` and the 29 before it, all keys together. */
            days: components["schemas"]["DayUsageRow"][];
            /** @description Deliveries of the last 7 days whose last attempt failed, newest first. */
            failures: components["schemas"]["Failure"][];
            /** @description Requests of `day` that were refused, by status and code, the most frequent first. */
            refused_today: components["schemas"]["RequestSum"][];
            /** @description How far a new account has come; null: it is not new any more, or a member put the steps away. */
            first_steps: components["schemas"]["FirstSteps"] | null;
        };
        /** @description How far a new account has come. */
        FirstSteps: {
            /** @description Whether it has a key that works. */
            has_key: boolean;
            /** @description Whether a request was counted. */
            is_counted: boolean;
        };
        /** @description Requests with one outcome. */
        RequestSum: {
            /** @description The HTTP status; 499 when the client left before the answer. */
            status: number;
            /** @description The code in the answer; null: it was served. */
            error: string | null;
            /** @description How many. */
            requests: components["schemas"]["Units"];
        };
        /** @description A request of a program. */
        LoggedRequest: {
            /** @description The `X-Request-Id` of its answer. */
            id: components["schemas"]["Id"];
            /** @description When it came. */
            at: components["schemas"]["Timestamp"];
            /** @description The key. */
            key_id: components["schemas"]["Id"];
            /** @description How the key is called. */
            key_name: components["schemas"]["Name"];
            /** @description How the key ends. */
            key_last_four: string;
            /** @description The operation of the public interface. */
            operation: string;
            /** @description Path and query. Values of parameters that do not exist are hidden, and so is what looks like a key. */
            target: string;
            /** @description The HTTP status; 499 when the client left before the answer. */
            status: number;
            /** @description The code in the answer; null: it was served. */
            error: string | null;
            /** @description Milliseconds until the client had the answer. */
            duration_ms: number;
        };
        /** @description An hour in which some requests are counted and not listed. */
        RequestHour: {
            /** @description When it began. */
            hour: components["schemas"]["Timestamp"];
            /** @description How many there were. */
            requests: components["schemas"]["Units"];
            /** @description How many of them are listed. */
            listed: components["schemas"]["Units"];
        };
        /** @description A page of the request log. */
        RequestLog: {
            /** @description Newest first. */
            data: components["schemas"]["LoggedRequest"][];
            /** @description Hours of this page in which some requests are counted and not listed, newest first. */
            partial_hours: components["schemas"]["RequestHour"][];
            /** @description All requests of these days by outcome, the most frequent first. */
            outcomes: components["schemas"]["RequestSum"][];
            /** @description How many requests of these days are listed. */
            listed: components["schemas"]["Units"];
            /** @description How many days the log reaches back. */
            days: number;
            pagination?: components["schemas"]["Pagination"];
        };
        /** @description Where the account stands. */
        OverviewResult: {
            /** @description Where the account stands. */
            data: components["schemas"]["Overview"];
        };
        /** @description Every price record, a list per field. The same place in each list is one record; fields mean what they mean in `GET /v1/prices`. */
        PriceColumns: {
            /** @description Identifies the record. */
            resource_id: string[];
            /** @description The canonical product. */
            product_id: (string | null)[];
            /** @description Who made the model. */
            vendor: string[];
            /** @description Where one pays. */
            platform: (string | null)[];
            /** @description What kind of model it is. */
            modality: (string | null)[];
            /** @description Where the price holds. */
            region: (string | null)[];
            /** @description What the headline price is per. */
            unit: (string | null)[];
            /** @description Per million input tokens. */
            input_per_mtok: (number | null)[];
            /** @description Per million output tokens. */
            output_per_mtok: (number | null)[];
            /** @description Per million input tokens read from a cache. */
            cached_input_per_mtok: (number | null)[];
            /** @description Per image. */
            image_per_unit: (number | null)[];
            /** @description Per minute of audio. */
            audio_per_min: (number | null)[];
            /** @description Per second of video. */
            video_per_sec: (number | null)[];
            /** @description The currency. */
            currency: (string | null)[];
            /** @description Where it was read. */
            source_url: (string | null)[];
            /** @description Since when the price holds. */
            effective_at: string[];
            /** @description When a value last moved. */
            updated_at: string[];
            /** @description How many states of the record `getPriceHistory` tells. */
            versions: number[];
            /** @description How many rates fit no column. `getPriceRecord` has them. */
            rates: number[];
            /** @description That some requests pay more for input by the rate card. */
            input_mark: components["schemas"]["PriceMark"][];
            /** @description That some requests pay more for output by the rate card. */
            output_mark: components["schemas"]["PriceMark"][];
            /** @description The first day of the next price that is announced; null: none is. */
            starts_on: (string | null)[];
            /** @description What stands behind the price, the most doubtful first. */
            standing: components["schemas"]["PriceStanding"][];
        };
        /**
         * @description That some requests pay more: at other hours (`off_peak`) or for another reason, such as a long prompt (`from`); null: none does, as far as is known.
         * @enum {string|null}
         */
        PriceMark: "from" | "off_peak" | null;
        /**
         * @description No source has the price any more (`gone`), a move of it is not believed yet (`held`), a source states another amount (`disputed`), one origin alone states it, or two do; null: nothing is recorded.
         * @enum {string|null}
         */
        PriceStanding: "gone" | "held" | "disputed" | "one_source" | "confirmed" | null;
        /** @description All price records in one answer. */
        PriceTable: {
            /** @description Moves with every change of a record. */
            version: string;
            /** @description How many records there are. */
            count: number;
            /** @description The records, newest `updated_at` first. */
            columns: components["schemas"]["PriceColumns"];
        };
        /** @description All price records. */
        PriceTableResult: {
            /** @description All price records. */
            data: components["schemas"]["PriceTable"];
        };
        /** @description What a record said from a moment on. */
        PriceVersion: {
            /** @description From when on it is known, by the clock of the run that stated it. */
            since: components["schemas"]["Timestamp"];
            /** @description From when on the price holds, by the day of its source or of a published change; else as `since`. */
            valid_from: components["schemas"]["Timestamp"];
            /**
             * @description Whether the source or a published change dates the price, or it is known only since when it was seen first.
             * @enum {string}
             */
            valid_from_by: "source" | "change" | "first_seen";
            /** @description Which source said so. */
            source: string;
            /** @description The fields that differ from the state before; none in the first. */
            moved: string[];
            /** @description Per million input tokens. */
            input_per_mtok: number | null;
            /** @description Per million output tokens. */
            output_per_mtok: number | null;
            /** @description Per million input tokens read from a cache. */
            cached_input_per_mtok: number | null;
            /** @description Per image. */
            image_per_unit: number | null;
            /** @description Per minute of audio. */
            audio_per_min: number | null;
            /** @description Per second of video. */
            video_per_sec: number | null;
            /** @description The currency. */
            currency: string | null;
        };
        /** @description What a record has said over time. */
        PriceHistory: {
            /** @description The record. */
            resource_id: components["schemas"]["ResourceId"];
            /** @description Newest first. */
            versions: components["schemas"]["PriceVersion"][];
        };
        /** @description What a record has said over time. */
        PriceHistoryResult: {
            /** @description The history. */
            data: components["schemas"]["PriceHistory"];
        };
        /**
         * @description Why a move waits.
         * @enum {string}
         */
        HoldReason: "large" | "factor" | "to_zero" | "from_zero" | "swapped" | "vanished" | "bulk" | "denied" | "range" | "incoherent" | "outlier" | "copied" | "flood" | "half_row" | "card";
        /**
         * @description The one rule that chose a price.
         * @enum {string}
         */
        PriceRule: "operator" | "own_list" | "waiting" | "agreed" | "contested" | "alone";
        /** @description An amount that no column of a price holds. All fields but the amount say what it is for. */
        PriceRate: {
            /** @description What is counted, in the plural. */
            meter: string;
            /** @description The unit of the amount. */
            unit: string;
            /** @description The exact amount. */
            amount: string;
            /** @description Such as `batch`; null: the standard tier. */
            service_tier: string | null;
            /** @description Which kind, where a meter has several; null: it has one. */
            variant: string | null;
            /** @description Input tokens above which it applies to the whole request; null: from the first. */
            threshold: number | null;
            /** @description Its hours of the day, in UTC; null: all day. */
            hours: string | null;
            /** @description The sources that state it; null: nothing is recorded. */
            said_by: string[] | null;
            /** @description What other sources state; null: nothing is recorded. */
            denied_by: {
                [key: string]: string;
            } | null;
        };
        /** @description A price that begins on a later day. */
        AnnouncedPrice: {
            /** @description Its first day. */
            starts_on: string;
            /** @description Who says so. */
            source: string;
            /** @description Since when it is known. */
            learned_at: components["schemas"]["Timestamp"];
            /** @description The amounts from then on; null: not stated. */
            amounts: components["schemas"]["Amounts"];
        };
        /** @description A price with all that is paid by it. */
        WholePrice: {
            /** @description The record. */
            resource_id: components["schemas"]["ResourceId"];
            /** @description The canonical product. */
            product_id: string | null;
            /** @description Who made the model. */
            vendor: string;
            /** @description Where one pays. */
            platform: string | null;
            /** @description Where the price holds. */
            region: string | null;
            /** @description What kind of model it is. */
            modality: string | null;
            /** @description What the headline price is per. */
            unit: string | null;
            /** @description The currency. */
            currency: string | null;
            /** @description The amounts, exactly; null: unknown. */
            amounts: components["schemas"]["Amounts"];
            /** @description Two or more independent origins state the same input and output, and no more deny them; null: neither is served, or nothing is recorded. */
            is_confirmed: boolean | null;
            /** @description The one rule that chose it; null: nothing is recorded. */
            rule: components["schemas"]["PriceRule"] | null;
            /** @description The rule in a sentence. */
            rule_text: string | null;
            /** @description How many sources state otherwise, of a price that might be another before long; null: it is not in doubt. */
            doubt: string | null;
            /** @description Since when no source has it any more. */
            gone_since: components["schemas"]["OptionalTimestamp"];
            /** @description The day on which it is retired. */
            retires_on: string | null;
            /** @description The whole rate card. */
            rates: components["schemas"]["PriceRate"][];
            /** @description What is announced, the next first. */
            announced: components["schemas"]["AnnouncedPrice"][];
        };
        /** @description Everything that is stored about a record, its history aside. */
        PriceRecord: {
            /** @description The record. */
            resource_id: components["schemas"]["ResourceId"];
            /** @description The canonical product. */
            product_id: string | null;
            /** @description Who made the model. */
            vendor: string;
            /** @description Where one pays. */
            platform: string | null;
            /** @description Where the price holds. */
            region: string | null;
            /** @description What kind of model it is. */
            modality: string | null;
            /** @description What the headline price is per. */
            unit: string | null;
            /** @description The currency. */
            currency: string | null;
            /** @description The amounts, exactly; null: unknown. */
            amounts: components["schemas"]["Amounts"];
            /** @description Two or more independent origins state the same input and output, and no more deny them; null: neither is served, or nothing is recorded. */
            is_confirmed: boolean | null;
            /** @description The one rule that chose it; null: nothing is recorded. */
            rule: components["schemas"]["PriceRule"] | null;
            /** @description The rule in a sentence. */
            rule_text: string | null;
            /** @description How many sources state otherwise, of a price that might be another before long; null: it is not in doubt. */
            doubt: string | null;
            /** @description Since when no source has it any more. */
            gone_since: components["schemas"]["OptionalTimestamp"];
            /** @description The day on which it is retired. */
            retires_on: string | null;
            /** @description The whole rate card. */
            rates: components["schemas"]["PriceRate"][];
            /** @description What is announced, the next first. */
            announced: components["schemas"]["AnnouncedPrice"][];
            /** @description The path of its public page. */
            page: string;
            /** @description What each source says of it now. */
            claims: components["schemas"]["PriceClaim"][];
            /** @description Moves that are not believed yet. */
            holds: components["schemas"]["PriceHold"][];
        };
        /** @description What a source says of a record now. */
        PriceClaim: {
            /** @description The source. */
            source: string;
            /** @description Whether its unit, link and dates are served. */
            leads: boolean;
            /** @description Its own key of the record. */
            key: string;
            /** @description Where it says so. */
            url: string | null;
            /** @description The amounts that it states. */
            stated: components["schemas"]["StatedAmount"][];
            /** @description Since when it has the record. */
            first_seen: components["schemas"]["Timestamp"];
            /** @description Since when it has it no more. */
            gone_since: components["schemas"]["OptionalTimestamp"];
            /** @description The newest day that its data states; null: it states none. */
            data_at: string | null;
            /** @description When it was read last. */
            read_at: components["schemas"]["OptionalTimestamp"];
        };
        /** @description An amount as a source states it. */
        StatedAmount: {
            /** @description Which amount. */
            field: components["schemas"]["AmountField"];
            /** @description The amount, exactly. */
            amount: string;
            /** @description Since when it states this amount; null: it has not moved since it was first seen. */
            since: components["schemas"]["OptionalTimestamp"];
            /** @description Whether it is what is served. */
            is_served: boolean;
        };
        /** @description A move that is not believed yet. What is served stays until then. */
        PriceHold: {
            /** @description Who states it. */
            source: string;
            /** @description Why it waits. */
            reason: components["schemas"]["HoldReason"];
            /** @description Since when it is stated. */
            first_seen: components["schemas"]["Timestamp"];
            /** @description What was served when it was held. */
            before: components["schemas"]["Amounts"];
            /** @description What the source states. */
            after: components["schemas"]["Amounts"];
        };
        /** @description Everything that is stored about a record. */
        PriceRecordResult: {
            /** @description The record. */
            data: components["schemas"]["PriceRecord"];
        };
        /** @description What a model costs on all platforms. */
        ModelPrices: {
            /** @description The product, or the record. */
            model: components["schemas"]["ResourceId"];
            /** @description Its prices, in the order of their ids. */
            prices: components["schemas"]["WholePrice"][];
        };
        /** @description What a model costs on all platforms. */
        ModelPricesResult: {
            /** @description The model. */
            data: components["schemas"]["ModelPrices"];
        };
        /** @description A value that moved. */
        PriceMove: {
            /** @description The record. */
            resource_id: string;
            /** @description The currency of the record; null: it has none, or is not served any more. */
            currency: string | null;
            /** @description Which value. */
            field: string;
            /** @description What it was. */
            before: string | null;
            /** @description What it is. */
            after: string | null;
        };
        /** @description A product one could move to. */
        ChangeAlternative: {
            /** @description The product. */
            product_id: string;
            /** @description Its name. */
            product_name: string;
            /** @description Who made it. */
            vendor: string;
            /**
             * @description How much work the move is.
             * @enum {string}
             */
            migration_effort: "low" | "medium" | "high";
            /** @description How the cost changes, in per cent; negative is cheaper. */
            cost_diff_pct: number | null;
            /** @description How the quality compares. */
            quality_comparison: string | null;
            /** @description What else there is to know. */
            notes: string | null;
        };
        /** @description A published change. With `access` `summary` the plan withholds `moves`, `alternatives`, the impacts other than `impact_score` and the deadline. */
        Change: {
            /** @description Identifies the change. */
            id: components["schemas"]["Id"];
            /** @description Who made the model. */
            vendor: string;
            /** @description The product. */
            product: string;
            /** @description What kind of model it is. */
            modality: string;
            /** @description What kind of change it is. */
            category: string;
            /** @description From 1 (little) to 5 (very much). */
            severity: number;
            /** @description The change in one line. */
            title: string;
            /** @description The change in a few sentences. */
            summary: string;
            /** @description Where it stands. */
            status: string | null;
            /** @description Where the vendor says so. */
            source_url: string | null;
            /** @description From when it holds: a day or an instant. */
            effective_time: string | null;
            /** @description When a source first said so; null when that is not known. */
            first_seen: string | null;
            /** @description Until when users must have moved. */
            migration_deadline: string | null;
            /** @description The impact over all. */
            impact_score: number;
            /** @description On cost. */
            impact_cost: number | null;
            /** @description On reliability. */
            impact_reliability: number | null;
            /** @description How much work a migration is. */
            impact_migration: number | null;
            /** @description On quality. */
            impact_quality: number | null;
            /** @description On compliance. */
            impact_compliance: number | null;
            /** @description What it consists of. */
            impact_notes: string | null;
            /** @description Whether it was checked against its source; null when nobody has said. */
            verified: boolean | null;
            /** @description How many values moved. */
            moves_total: number;
            /** @description Before and after, as many as an answer holds. The first five in a list, the first 1,000 of one change. */
            moves: components["schemas"]["PriceMove"][];
            /** @description The best first. */
            alternatives: components["schemas"]["ChangeAlternative"][];
            /**
             * @description How much of it the plan shows.
             * @enum {string}
             */
            access: "summary" | "full";
            /** @description When it was published. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it last moved. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A page of changes. */
        ChangeList: {
            /** @description Newest first. */
            data: components["schemas"]["Change"][];
            pagination?: components["schemas"]["Pagination"];
        };
        /** @description What changes can be filtered by, in the order of the alphabet. */
        ChangeFacets: {
            /** @description Vendors of published changes. */
            vendors: string[];
            /** @description Categories of published changes. */
            categories: string[];
        };
        /** @description What changes can be filtered by. */
        ChangeFacetsResult: {
            /** @description The vendors and categories. */
            data: components["schemas"]["ChangeFacets"];
        };
        /** @description One change. */
        ChangeResult: {
            /** @description The change. */
            data: components["schemas"]["Change"];
        };
        /**
         * @description An event kind, or `*` for all of them, those added in future too.
         * @enum {string}
         */
        WebhookEvent: "change.alert" | "*";
        /** @description Of which changes a subscription is told. All that is set must hold, as in `GET /v1/changes`; an empty list and severity 1 leave nothing out. */
        WebhookFilter: {
            /**
             * @description Only of these vendors; empty: of all.
             * @default []
             */
            vendors?: components["schemas"]["FilterName"][];
            /**
             * @description Only of these products; empty: of all.
             * @default []
             */
            products?: components["schemas"]["FilterName"][];
            /**
             * @description Only from this severity on.
             * @default 1
             */
            min_severity?: number;
        };
        /** @description A vendor or a product, as changes name it. It need not be known yet. */
        FilterName: string;
        /** @description A name for people, at most 100 characters; null or empty: it goes by its address. */
        WebhookName: string | null;
        /** @description What a filter would have let through lately. */
        FilterPreview: {
            /** @description So many days are looked back. */
            days: number;
            /** @description Changes of these days that the filter lets through. */
            matching: number;
            /** @description All changes of these days that a subscription without a filter is told of. */
            all: number;
        };
        /** @description What a filter would have let through lately. */
        FilterPreviewResult: {
            /** @description The preview. */
            data: components["schemas"]["FilterPreview"];
        };
        /** @description What filters can name. */
        FilterNames: {
            /** @description Vendors of prices and changes. */
            vendors: string[];
            /** @description Products of prices and changes. */
            products: string[];
        };
        /** @description What filters can name. */
        FilterNamesResult: {
            /** @description The names. */
            data: components["schemas"]["FilterNames"];
        };
        /** @description Which failed deliveries to send again. */
        ResendInput: {
            /** @description Only those that were made at this time or later; left out: all that are known. */
            since?: components["schemas"]["Timestamp"];
        };
        /** @description What is sent again. */
        Resent: {
            /** @description New deliveries, at most 100. */
            resent: number;
            /** @description Alerts that failed and are left for another time, counted up to 1,000. */
            left: number;
        };
        /** @description What is sent again. */
        ResentResult: {
            /** @description The numbers. */
            data: components["schemas"]["Resent"];
        };
        /**
         * Format: uri
         * @description Where alerts are sent: `https://`, at most 2,048 characters, no private address.
         */
        WebhookUrl: string;
        /** @description Signs each delivery: 16 to 512 characters, no control characters. */
        WebhookSecret: string;
        /** @description A subscription. Its secret is shown once, when it is made or rotated. */
        Webhook: {
            /** @description Identifies the subscription. */
            id: components["schemas"]["Id"];
            /** @description A name for people; null: it goes by its address. */
            name: string | null;
            /** @description Where alerts are sent. */
            url: string;
            /** @description Of which changes it is told. */
            filter: components["schemas"]["WebhookFilter"];
            /** @description From when on the new secret signs, and no longer the old one; null: none is to come. */
            next_secret_at: components["schemas"]["OptionalTimestamp"];
            /** @description Alerts that failed and are not on their way again, counted up to 1,000. In the answer of one subscription. */
            failed_count?: number;
            /** @description Which events are sent. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description Whether it is switched on. */
            active: boolean;
            /** @description Why no alert would be sent to it now, and what to do; null: alerts are sent. */
            obstacle: string | null;
            /** @description The HTTP status of the latest attempt; null when no answer came, or one with no status of HTTP. */
            last_status: number | null;
            /** @description What went wrong with it, and what to do. */
            last_error: string | null;
            /** @description When an alert last arrived. */
            last_success_at: components["schemas"]["OptionalTimestamp"];
            /** @description Since when none has arrived; null: the latest did. */
            failing_since: components["schemas"]["OptionalTimestamp"];
            /** @description Whether deliveries and tests carry `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks too. */
            standard_headers: boolean;
            /** @description When it was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it last moved. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The subscriptions of the account. */
        WebhookList: {
            /** @description Oldest first. */
            data: components["schemas"]["Webhook"][];
            /** @description Where the next page begins; left out on the last page. */
            pagination?: components["schemas"]["Pagination"];
            /** @description How many are active. */
            active: number;
            /** @description How many the plan allows; null: any number. */
            active_max: number | null;
        };
        /** @description One subscription. */
        WebhookResult: {
            /** @description The subscription. */
            data: components["schemas"]["Webhook"];
        };
        /** @description A subscription to create. */
        WebhookInput: {
            /** @description Where to send alerts. */
            url: components["schemas"]["WebhookUrl"];
            name?: components["schemas"]["WebhookName"];
            /** @description Of which changes to tell; left out: of all. */
            filter?: components["schemas"]["WebhookFilter"];
            /**
             * @description Which events to send.
             * @default [
             *       "change.alert"
             *     ]
             */
            events?: components["schemas"]["WebhookEvent"][];
            /** @description A secret of your own; left out: one is made. */
            secret?: components["schemas"]["WebhookSecret"];
        };
        /** @description A new secret. */
        WebhookSecretInput: {
            /** @description A secret of your own; left out: one is made. */
            secret?: components["schemas"]["WebhookSecret"];
            /**
             * @description How long the old secret signs on, while your endpoint learns to accept both; 0, at once.
             * @default 0
             */
            overlap_seconds?: number;
        };
        /** @description A subscription with its secret. */
        NewWebhook: {
            /** @description The secret. It is shown only now. */
            secret: components["schemas"]["WebhookSecret"];
            /** @description What stays of it. */
            record: components["schemas"]["Webhook"];
        };
        /** @description A subscription with its secret. */
        NewWebhookResult: {
            /** @description The subscription and its secret. */
            data: components["schemas"]["NewWebhook"];
        };
        /** @description What to alter. At least one field. */
        WebhookPatch: {
            /** @description A new address. */
            url?: components["schemas"]["WebhookUrl"];
            /** @description Other events. */
            events?: components["schemas"]["WebhookEvent"][];
            name?: components["schemas"]["WebhookName"];
            /** @description Of which changes to tell from now on. It takes the place of the whole filter. */
            filter?: components["schemas"]["WebhookFilter"];
            /**
             * @description Whether the secret that is to come signs from now on, or is forgotten. Without one nothing changes.
             * @enum {string}
             */
            next_secret?: "now" | "never";
            /** @description Switch on or off. Switching on forgets past failures. */
            active?: boolean;
            /** @description Whether to send the headers of Standard Webhooks beside ours. */
            standard_headers?: boolean;
        };
        /** @description An address to check, as far as it is typed. */
        UrlInput: {
            /** @description The address. */
            url: string;
        };
        /** @description Whether a webhook may have this address. */
        UrlVerdict: {
            /** @description What to change; null: it may. */
            problem: string | null;
        };
        /** @description Whether a webhook may have this address. */
        UrlVerdictResult: {
            /** @description The verdict. */
            data: components["schemas"]["UrlVerdict"];
        };
        /**
         * @description Where a delivery stands.
         * @enum {string}
         */
        DeliveryState: "pending" | "delivered" | "exhausted" | "not_entitled" | "inactive" | "cancelled";
        /** @description One try of a delivery. */
        Attempt: {
            /** @description Counts from 1. */
            attempt: number;
            /** @description When it began. */
            started_at: components["schemas"]["Timestamp"];
            /** @description How long it took. */
            duration_ms: number;
            /** @description The HTTP status; null when no answer came, or one with no status of HTTP. */
            status: number | null;
            /** @description What kind of failure it was; null: none. */
            error_class: string | null;
            /** @description What went wrong, and what to do. */
            error: string | null;
            /** @description What went over the line. Of a test. */
            exchange?: components["schemas"]["Exchange"];
        };
        /** @description What an attempt sent, and the beginning of what came back. */
        Exchange: {
            /** @description Where it was sent. */
            url: string;
            /** @description As they were sent, with the signature. */
            request_headers: {
                [key: string]: string;
            };
            /** @description The exact body; null: it cannot be shown as it was sent, because a change of it is gone. */
            body: string | null;
            /** @description What came back; null: nothing. */
            answer: components["schemas"]["ExchangeAnswer"] | null;
        };
        /** @description The beginning of an answer, without characters that are not shown. */
        ExchangeAnswer: {
            /** @description Those that tell what answered. */
            headers: {
                [key: string]: string;
            };
            /** @description The first 1,024 bytes, as text. */
            body: string;
            /** @description Whether the endpoint sent more, or was still sending. */
            is_cut: boolean;
        };
        /** @description What went over the line in an attempt. */
        ExchangeResult: {
            /** @description The exchange; null: it is forgotten. It is kept for 7 days, and of the latest 2,000 attempts of an account. */
            data: components["schemas"]["Exchange"] | null;
        };
        /** @description One alert to one subscription, with every attempt. */
        Delivery: {
            /** @description Identifies the delivery. */
            id: components["schemas"]["Id"];
            /** @description The subscription. */
            webhook_id: components["schemas"]["Id"];
            /** @description The delivery that it sends again; null: it is a first one. */
            resent_from: string | null;
            /** @description The latest delivery that sends it again; null: none does. */
            resent_as: string | null;
            /** @description Where it stands. */
            state: components["schemas"]["DeliveryState"];
            /** @description Why it has not arrived, and what to do; null: it has, or is about to be tried. */
            advice: string | null;
            /** @description Attempts that are finished. */
            attempts: number;
            /** @description The changes it tells of. */
            change_ids: components["schemas"]["Id"][];
            /** @description The titles of the first ten, in the same order. */
            titles: string[];
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it is tried next. */
            next_attempt_at: components["schemas"]["OptionalTimestamp"];
            /** @description When it ended. */
            finished_at: components["schemas"]["OptionalTimestamp"];
            /** @description The attempts, oldest first. */
            log: components["schemas"]["Attempt"][];
        };
        /** @description A page of deliveries. */
        DeliveryList: {
            /** @description Newest first. */
            data: components["schemas"]["Delivery"][];
            pagination?: components["schemas"]["Pagination"];
        };
        /** @description One delivery. */
        DeliveryResult: {
            /** @description The delivery. */
            data: components["schemas"]["Delivery"];
        };
        /** @description What an endpoint made of a test. */
        TestResult: {
            /** @description The attempt. */
            data: components["schemas"]["Attempt"];
        };
        /** @description A paid plan of the account. */
        Subscription: {
            /**
             * @description The plan.
             * @enum {string}
             */
            plan: "developer" | "scale" | "team" | "enterprise";
            /** @description Whether it counts now. */
            current: boolean;
            /** @description From when on. */
            starts_at: components["schemas"]["Timestamp"];
            /** @description Until when, or when it renews; null: open-ended. */
            ends_at: components["schemas"]["OptionalTimestamp"];
            /** @description Whether a payment provider renews it. */
            renews: boolean;
        };
        /** @description Something that can be bought. */
        Offer: {
            /**
             * @description What it is.
             * @enum {string}
             */
            item: "developer" | "pack";
            /** @description What it is, for people. */
            label: string;
            /** @description The price of one, with as many decimals as the currency has. */
            amount: string;
            /** @description The currency. */
            currency: string;
            /** @description `month` when it recurs; null: paid once. */
            interval: string | null;
        };
        /** @description The plan, what was bought and what can be. */
        Billing: {
            /** @description The largest current plan. */
            plan: components["schemas"]["Plan"];
            /** @description Paid plans, past ones too. */
            subscriptions: components["schemas"]["Subscription"][];
            /** @description Packs, in the order in which they are used, past ones too. */
            packs: components["schemas"]["Pack"][];
            /**
             * @description Who takes payments; `none`: an operator grants packs and plans.
             * @enum {string}
             */
            provider: "stripe" | "none";
            /** @description What can be bought here; empty without a provider, null while it cannot be reached. */
            offers: components["schemas"]["Offer"][] | null;
            /** @description Whether the provider has a page for invoices and cards of this account. */
            has_portal: boolean;
            /** @description Whom to write to. */
            contact: string | null;
        };
        /** @description The plan, what was bought and what can be. */
        BillingResult: {
            /** @description The state of billing. */
            data: components["schemas"]["Billing"];
        };
        /** @description What to buy. */
        CheckoutInput: {
            /**
             * @description What to buy.
             * @enum {string}
             */
            item: "developer" | "pack";
            /**
             * @description How many packs; 1 for a plan.
             * @default 1
             */
            quantity?: number;
        };
        /** @description Where to go on. */
        Redirect: {
            /**
             * Format: uri
             * @description A page of the payment provider.
             */
            url: string;
        };
        /** @description Where to go on. */
        RedirectResult: {
            /** @description Where to go on. */
            data: components["schemas"]["Redirect"];
        };
        /** @description An event of Stripe's, in Stripe's form. It is read from the signed bytes. */
        StripeEvent: {
            /** @description Identifies the event. */
            id: string;
            /** @description What happened. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An amount as decimal text; null: unknown.
         * @example 0.15
         */
        Amount: string | null;
        /**
         * @description Which amount.
         * @enum {string}
         */
        AmountField: "input_per_mtok" | "output_per_mtok" | "cached_input_per_mtok" | "image_per_unit" | "audio_per_min" | "video_per_sec";
        /** @description The moves, as `listHolds` names them. */
        HoldIds: components["schemas"]["Id"][];
        /** @description Why, for the record. */
        Reason: string;
        /** @description What an operator has to do. */
        Operator: {
            /** @description Price moves that wait. */
            waiting: components["schemas"]["Units"];
        };
        /** @description The amounts of a price. */
        Amounts: {
            /** @description Per million input tokens. */
            input_per_mtok: components["schemas"]["Amount"];
            /** @description Per million output tokens. */
            output_per_mtok: components["schemas"]["Amount"];
            /** @description Per million input tokens read from a cache. */
            cached_input_per_mtok: components["schemas"]["Amount"];
            /** @description Per image. */
            image_per_unit: components["schemas"]["Amount"];
            /** @description Per minute of audio. */
            audio_per_min: components["schemas"]["Amount"];
            /** @description Per second of video. */
            video_per_sec: components["schemas"]["Amount"];
        };
        /** @description A price move that is not served: what is served in its place stays until the move is confirmed, taken back or decided. */
        Hold: {
            /** @description Identifies it. */
            id: components["schemas"]["Id"];
            /** @description The source that states it. */
            source: string;
            /** @description The record. */
            resource_id: components["schemas"]["ResourceId"];
            /** @description The product of the record; null: unknown, or the record is not served. */
            product_id: string | null;
            /** @description Why it waits. */
            reason: components["schemas"]["HoldReason"];
            /** @description The same in words. */
            reason_text: string;
            /** @description What was served when it was held. */
            before: components["schemas"]["Amounts"];
            /** @description What the source states. */
            after: components["schemas"]["Amounts"];
            /** @description Since when the source states it. */
            first_seen: components["schemas"]["Timestamp"];
            /**
             * @description Whether it waits, and else how it ended.
             * @enum {string}
             */
            state: "open" | "accepted" | "rejected" | "confirmed" | "withdrawn";
            /** @description When it ended. */
            decided_at: components["schemas"]["OptionalTimestamp"];
            /** @description The address of the operator who decided here; null: the command line did, or no person. */
            decided_by: string | null;
            /** @description Why it was decided so. */
            note: string | null;
        };
        /** @description How many moves of a source wait. */
        SourceCount: {
            /** @description The source. */
            source: string;
            /** @description How many. */
            waiting: components["schemas"]["Units"];
        };
        /** @description A source whose last run was not taken in. What it said before is served. */
        RefusedSource: {
            /** @description The source. */
            source: string;
            /**
             * @description What became of its last run.
             * @enum {string}
             */
            outcome: "held" | "refused" | "unreachable";
            /** @description Why. */
            message: string | null;
            /** @description When the first run was that was not taken in, after the last one that was. */
            since: components["schemas"]["Timestamp"];
            /** @description How many runs were not taken in since then. */
            runs: components["schemas"]["Units"];
            /** @description When data was taken in last; null: never. */
            loaded_at: components["schemas"]["OptionalTimestamp"];
            /** @description What the source calls the loaded state. */
            version: string | null;
            /** @description What an operator can do. */
            to_do: string;
            /**
             * @description Which command it takes: one that takes the file as it is, or one that reads another.
             * @enum {string}
             */
            remedy: "accept_file" | "give_file";
        };
        /** @description A page of what waits. */
        HoldList: {
            /** @description The oldest first. */
            data: components["schemas"]["Hold"][];
            /** @description The sources whose last run was not taken in, by name, whatever source is asked for. */
            refusals: components["schemas"]["RefusedSource"][];
            /** @description All that waits, of every source. */
            waiting: components["schemas"]["Units"];
            /** @description Of which sources, by name. */
            sources: components["schemas"]["SourceCount"][];
            pagination?: components["schemas"]["Pagination"];
        };
        /** @description What is served of a record. */
        ServedPrice: {
            /** @description The record, as it is served. */
            resource_id: components["schemas"]["ResourceId"];
            /** @description The amounts. */
            amounts: components["schemas"]["Amounts"];
            /** @description The currency. */
            currency: string | null;
            /** @description The unit. */
            unit: string | null;
            /** @description Whose unit, link and dates are served. */
            source: string;
            /** @description Whether two or more independent sources state input and output, and no more deny them; null: neither is served. */
            is_confirmed: boolean | null;
            /** @description Since when no source has it any more. */
            gone_since: components["schemas"]["OptionalTimestamp"];
            /** @description The rule that chose the price, then a sentence for each amount. */
            why: string[];
        };
        /** @description The last move of an amount that a source states. */
        ClaimMove: {
            /** @description Which amount. */
            field: components["schemas"]["AmountField"];
            /** @description What it stated before. */
            before: components["schemas"]["Amount"];
            /** @description Since when it states the present one. */
            since: components["schemas"]["Timestamp"];
            /**
             * @description What an operator decided on it.
             * @enum {string|null}
             */
            decided: "accepted" | "rejected" | null;
        };
        /** @description What a source says of a record. */
        Claim: {
            /** @description The source. */
            source: string;
            /** @description Whether this is the move that waits. */
            is_held: boolean;
            /** @description The record, as the source spells it. */
            resource_id: components["schemas"]["ResourceId"];
            /** @description The row's key in the source. */
            source_key: string;
            /** @description Where the source says it read the price, an http or https address; null: it says nothing of the kind. */
            source_url: string | null;
            /** @description What the source calls its present state. */
            version: string | null;
            /** @description The amounts. */
            amounts: components["schemas"]["Amounts"];
            /** @description The amounts that have moved since the source first stated the record. */
            moves: components["schemas"]["ClaimMove"][];
            /** @description Since when the source has it. */
            first_seen: components["schemas"]["Timestamp"];
            /** @description When the source was read last and had it. */
            last_seen: components["schemas"]["Timestamp"];
            /** @description The newest day of the data that was read. */
            data_at: components["schemas"]["Timestamp"];
            /** @description Since when the source lacks it. */
            gone_since: components["schemas"]["OptionalTimestamp"];
        };
        /** @description What the product costs on another platform. */
        PeerPlatform: {
            /** @description The platform. */
            platform: string;
            /** @description The median of what sources state of it. */
            amounts: components["schemas"]["Amounts"];
        };
        /** @description What the product costs on other platforms, by all sources. Cached input is not compared. */
        Peers: {
            /** @description The median over the platforms; null: too few of them state it. */
            median: components["schemas"]["Amounts"];
            /** @description How many platforms a median needs. */
            platforms_min: number;
            /** @description The platforms, by name. */
            platforms: components["schemas"]["PeerPlatform"][];
        };
        /** @description A rate beside the amounts that moved, such as a tier. */
        RateMove: {
            /** @description Which rate, in words. */
            rate: string;
            /** @description What it was. */
            before: components["schemas"]["Amount"];
            /** @description What it is. */
            after: components["schemas"]["Amount"];
        };
        /** @description A move and its evidence. */
        HoldCase: {
            /** @description The move. */
            hold: components["schemas"]["Hold"];
            /** @description What is served of the record; null: nothing. */
            served: components["schemas"]["ServedPrice"] | null;
            /** @description What every source says of it, the one that counts most first. */
            claims: components["schemas"]["Claim"][];
            /** @description What its product costs elsewhere. */
            peers: components["schemas"]["Peers"];
            /** @description The rates of the held claim that moved. */
            card: components["schemas"]["RateMove"][];
        };
        /** @description A move and its evidence. */
        HoldCaseResult: {
            /** @description The move. */
            data: components["schemas"]["HoldCase"];
        };
        /** @description What is accepted. */
        AcceptInput: {
            /** @description The moves. */
            ids: components["schemas"]["HoldIds"];
            /**
             * @description How it is published.
             * @enum {string}
             */
            as: "move" | "correction";
            /** @description Why, for the record. */
            note?: components["schemas"]["Reason"];
            /** @description The present password. */
            password: components["schemas"]["Password"];
        };
        /** @description What is rejected, and why. */
        RejectInput: {
            /** @description The moves. */
            ids: components["schemas"]["HoldIds"];
            /** @description Why, for the record. */
            reason: components["schemas"]["Reason"];
            /** @description The present password. */
            password: components["schemas"]["Password"];
        };
        /** @description What a decision did. */
        ReviewOutcome: {
            /** @description How many moves were decided. */
            decided: components["schemas"]["Units"];
            /** @description The published changes. */
            changes: string[];
            /** @description How many alerts were queued for subscriptions. */
            deliveries: components["schemas"]["Units"];
        };
        /** @description What a decision did. */
        ReviewOutcomeResult: {
            /** @description The outcome. */
            data: components["schemas"]["ReviewOutcome"];
        };
        /** @description How a source stands. */
        FeedSource: {
            /** @description The source. */
            source: string;
            /**
             * @description What became of its last run.
             * @enum {string}
             */
            outcome: "applied" | "held" | "refused" | "unreachable";
            /** @description Why the run was not applied. */
            message: string | null;
            /** @description When the last run was. */
            observed_at: components["schemas"]["Timestamp"];
            /** @description When data was taken in last. */
            loaded_at: components["schemas"]["OptionalTimestamp"];
            /** @description What the source calls the loaded state. */
            version: string | null;
            /**
             * Format: date
             * @description The newest day that the loaded data itself states; null: it states none.
             */
            data_at: string | null;
            /** @description Rows of the loaded data; null: none was loaded. */
            rows: number | null;
            /** @description Rows of it that could not be taken; null: none was loaded. */
            rejected: number | null;
            /** @description Moves that wait. */
            waiting: components["schemas"]["Units"];
            /** @description The address that it was read from; null: a file, or the data of the program. */
            url: string | null;
        };
        /** @description How the sources stand. */
        FeedSources: {
            /** @description Served prices with an input or output amount. */
            priced: components["schemas"]["Units"];
            /** @description Those whose input and output two independent sources state alike. */
            confirmed: components["schemas"]["Units"];
            /** @description Served amounts that two or more agreeing independent sources deny. */
            outvoted: components["schemas"]["Units"];
            /** @description By name. */
            sources: components["schemas"]["FeedSource"][];
        };
        /** @description How the sources stand. */
        FeedSourcesResult: {
            /** @description The sources. */
            data: components["schemas"]["FeedSources"];
        };
        /** @description Something that was done to the account. */
        AuditEntry: {
            /** @description Identifies the entry. */
            id: components["schemas"]["Id"];
            /** @description When. */
            at: components["schemas"]["Timestamp"];
            /**
             * @description What kind of actor did it.
             * @enum {string}
             */
            actor: "user" | "key" | "operator" | "provider" | "system";
            /** @description The e-mail address of a user, the name of a key. */
            actor_name: string | null;
            /** @description What was done, such as `key.created`. */
            action: string;
            /** @description To what. */
            subject_id: string | null;
            /** @description What else is worth knowing. Never a secret. */
            details: components["schemas"]["AuditDetail"][];
        };
        /** @description A fact about an action. */
        AuditDetail: {
            /** @description Which fact. */
            name: string;
            /** @description What it is. */
            value: string;
        };
        /** @description A page of the audit log. */
        AuditList: {
            /** @description Newest first. */
            data: components["schemas"]["AuditEntry"][];
            pagination?: components["schemas"]["Pagination"];
        };
    };
    responses: {
        /** @description Something in the query, the path or the body is not valid; `message` says what. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Nobody is signed in, or the credentials are wrong. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request does not come from the dashboard, the role or the plan does not include it, or the e-mail address is not verified yet. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The account has nothing with this id. Another account's is as absent as one that never was. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description What the account has does not allow it; `error` says why. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body has more than 64 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body is not `application/json` in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Too many attempts from this address, or too many requests of this session, user or account. */
        TooManyAttempts: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Something went wrong on our side. Name the `X-Request-Id` when you ask for help. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description A store behind the service cannot be reached. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /**
         * @description The `id` of the thing.
         * @example key_3kTMd1Yb0sZc9QwErTyU
         */
        PathId: components["schemas"]["Id"];
        /**
         * @description The first UTC day, at most 400 days before `to`.
         * @example 2026-10-23
         */
        From: components["schemas"]["Day"];
        /**
         * @description The last UTC day.
         * @example 2026-11-21
         */
        To: components["schemas"]["Day"];
        /**
         * @description Only what was done to this.
         * @example key
         */
        AuditKind: "key" | "webhook" | "delivery" | "account" | "member" | "user" | "billing";
        /**
         * @description Only entries that have this text in who did it, to what, or a detail; case does not matter.
         * @example CI pipeline
         */
        AuditSearch: string;
        /**
         * @description Only this key.
         * @example key_3kTMd1Yb0sZc9QwErTyU
         */
        KeyFilter: components["schemas"]["Id"];
        /**
         * @description Only this endpoint.
         * @example prices
         */
        EndpointFilter: "prices" | "changes" | "webhooks";
        /**
         * @description Only requests with this HTTP status, or those that were served, refused (400 to 498) or failed (the client left, or the fault was ours).
         * @example refused
         */
        RequestStatus: "served" | "refused" | "failed" | "400" | "401" | "402" | "403" | "404" | "413" | "415" | "429" | "499" | "500" | "503";
        /**
         * @description Only requests of this operation.
         * @example listPrices
         */
        RequestOperation: "listPrices" | "listChanges" | "listWebhooks" | "createWebhook" | "deleteWebhook" | "getUsage";
        /**
         * @description The record.
         * @example openai:gpt-4o-mini
         */
        ResourceIdFilter: components["schemas"]["ResourceId"];
        /**
         * @description A product, or a record that no product is known of.
         * @example openai/gpt-4o-mini
         */
        ModelFilter: components["schemas"]["ResourceId"];
        /**
         * @description Only changes of this vendor.
         * @example openai
         */
        Vendor: components["schemas"]["ExactFilter"];
        /**
         * @description Only changes of this product.
         * @example openai/gpt-4o-mini
         */
        Product: components["schemas"]["ExactFilter"];
        /**
         * @description Only changes of this category.
         * @example price_cut
         */
        Category: components["schemas"]["ExactFilter"];
        /**
         * @description Whether operational incidents are listed among the others.
         * @example true
         */
        IncludeIncidents: boolean;
        /**
         * @description Only changes of at least this severity.
         * @example 3
         */
        MinSeverity: number;
        /**
         * @description Only deliveries of this subscription.
         * @example wh_3kTMd1Yb0sZc9QwErTyU
         */
        WebhookFilter: components["schemas"]["Id"];
        /**
         * @description Which attempt of the delivery, from 1; left out: the latest that is kept.
         * @example 1
         */
        AttemptNumber: number;
        /**
         * @description Only moves of this source.
         * @example litellm
         */
        SourceFilter: components["schemas"]["ExactFilter"];
        /**
         * @description Only deliveries in this state.
         * @example exhausted
         */
        StateFilter: "pending" | "delivered" | "exhausted" | "not_entitled" | "inactive" | "cancelled";
        /**
         * @description The `pagination.next_cursor` of the page before, unchanged.
         * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
         */
        Cursor: components["schemas"]["CursorText"];
        /**
         * @description How many rows a page has at most.
         * @example 50
         */
        Limit: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request. Name it when you ask for help.
         * @example req_3kTMd1Yb0sZc9QwErTyU
         */
        XRequestId: string;
        /**
         * @description Answers belong to one account and must not be kept by any cache.
         * @example private, no-store
         */
        CacheControl: "private, no-store";
        /**
         * @description Seconds to wait before trying again.
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description The version of the table.
         * @example "1795305600000000"
         */
        ETag: string;
        /**
         * @description May be kept by the browser, and must be asked about before it is used again.
         * @example private, no-cache
         */
        Revalidate: "private, no-cache";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Where to send a link. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    finishSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Who signs up. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinishSignUpInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Credentials. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInInput"];
            };
        };
        responses: {
            /** @description Whether a second factor is asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    showSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A code of the app, or one of the recovery codes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What it is for. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAskInput"];
            };
        };
        responses: {
            /** @description What to sign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallengeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What the passkey has signed. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignature"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendPasswordResetMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Where to send a link. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new password for who holds the link. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkMailedLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The link. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailedLinkInput"];
            };
        };
        responses: {
            /** @description The link works. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new password for who knows the present one. All other sessions end. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChangeInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions of the user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setUpSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The present password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordInput"];
            };
        };
        responses: {
            /** @description What to enter into the app. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorSetupResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A code of the app. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The present password, and a code. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordAndCodeInput"];
            };
        };
        responses: {
            /** @description The new codes, shown only now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The present password, and a code. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordAndCodeInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's passkeys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What the device has made. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyInput"];
            };
        };
        responses: {
            /** @description The passkey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The present password and, of who has a second factor, a code. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyStartInput"];
            };
        };
        responses: {
            /** @description What to sign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallengeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description A new name. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameInput"];
            };
        };
        responses: {
            /** @description The passkey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description The present password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The present password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    switchAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The account to look at. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchInput"];
            };
        };
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A new name. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameInput"];
            };
        };
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description How it is to be called. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameInput"];
            };
        };
        responses: {
            /** @description Who is signed in. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The present password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who has access. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description A new role. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleInput"];
            };
        };
        responses: {
            /** @description One member. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Whom to ask. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationInput"];
            };
        };
        responses: {
            /** @description One invitation. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What a mailed link carries. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenInput"];
            };
        };
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Only what was done to this.
                 * @example key
                 */
                kind?: components["parameters"]["AuditKind"];
                /**
                 * @description Only entries that have this text in who did it, to what, or a detail; case does not matter.
                 * @example CI pipeline
                 */
                search?: components["parameters"]["AuditSearch"];
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description Only what was done to this.
                 * @example key
                 */
                kind?: components["parameters"]["AuditKind"];
                /**
                 * @description Only entries that have this text in who did it, to what, or a detail; case does not matter.
                 * @example CI pipeline
                 */
                search?: components["parameters"]["AuditSearch"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,at,actor,actor_name,action,subject_id,details
                     *     aud_3kTMd1Yb0sZc9QwErTyU,2026-11-21T09:30:00.123456Z,user,ada@customer.example,key.created,key_3kTMd1Yb0sZc9QwErTyU,name=CI pipeline
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What the key is for, and for how long. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyInput"];
            };
        };
        responses: {
            /** @description A new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKeyResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description A new name. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameInput"];
            };
        };
        responses: {
            /** @description One key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description How long the old key goes on. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateInput"];
            };
        };
        responses: {
            /** @description A new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKeyResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setKeyExpiry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description When it expires. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExpiryInput"];
            };
        };
        responses: {
            /** @description One key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /**
                 * @description Only requests with this HTTP status, or those that were served, refused (400 to 498) or failed (the client left, or the fault was ours).
                 * @example refused
                 */
                status?: components["parameters"]["RequestStatus"];
                /**
                 * @description Only requests of this operation.
                 * @example listPrices
                 */
                operation?: components["parameters"]["RequestOperation"];
                /**
                 * @description Only this key.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                key_id?: components["parameters"]["KeyFilter"];
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the request log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLog"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endFirstSteps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the account stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsageReport: {
        parameters: {
            query?: {
                /**
                 * @description The first UTC day, at most 400 days before `to`.
                 * @example 2026-10-23
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last UTC day.
                 * @example 2026-11-21
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only this key.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                key_id?: components["parameters"]["KeyFilter"];
                /**
                 * @description Only this endpoint.
                 * @example prices
                 */
                endpoint?: components["parameters"]["EndpointFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests in a span of days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportUsage: {
        parameters: {
            query?: {
                /**
                 * @description The first UTC day, at most 400 days before `to`.
                 * @example 2026-10-23
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last UTC day.
                 * @example 2026-11-21
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only this key.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                key_id?: components["parameters"]["KeyFilter"];
                /**
                 * @description Only this endpoint.
                 * @example prices
                 */
                endpoint?: components["parameters"]["EndpointFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example day,key_id,key_name,endpoint,paid_by,units
                     *     2026-11-21,key_3kTMd1Yb0sZc9QwErTyU,CI pipeline,prices,plan,42
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPriceTable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All price records. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceTableResult"];
                };
            };
            /** @description The table is the one you have. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPriceFile: {
        parameters: {
            query?: {
                /**
                 * @description How it is written. `litellm` is the map that LiteLLM reads.
                 * @example csv
                 */
                format?: "json" | "jsonl" | "csv" | "sqlite" | "litellm";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example resource_id,vendor
                     *     openai:gpt-4o-mini,openai
                     */
                    "text/csv": string;
                };
            };
            /** @description The file is the one you have. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPriceHistory: {
        parameters: {
            query: {
                /**
                 * @description The record.
                 * @example openai:gpt-4o-mini
                 */
                resource_id: components["parameters"]["ResourceIdFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a record has said over time. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceHistoryResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getModelPrices: {
        parameters: {
            query: {
                /**
                 * @description A product, or a record that no product is known of.
                 * @example openai/gpt-4o-mini
                 */
                model: components["parameters"]["ModelFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a model costs on all platforms. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPricesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPriceRecord: {
        parameters: {
            query: {
                /**
                 * @description The record.
                 * @example openai:gpt-4o-mini
                 */
                resource_id: components["parameters"]["ResourceIdFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that is stored about a record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceRecordResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /**
                 * @description Only changes of this vendor.
                 * @example openai
                 */
                vendor?: components["parameters"]["Vendor"];
                /**
                 * @description Only changes of this product.
                 * @example openai/gpt-4o-mini
                 */
                product?: components["parameters"]["Product"];
                /**
                 * @description Only changes of this category.
                 * @example price_cut
                 */
                category?: components["parameters"]["Category"];
                /**
                 * @description Whether operational incidents are listed among the others.
                 * @example true
                 */
                include_incidents?: components["parameters"]["IncludeIncidents"];
                /**
                 * @description Only changes of at least this severity.
                 * @example 3
                 */
                min_severity?: components["parameters"]["MinSeverity"];
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChangeFacets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Vendors and categories. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeFacetsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscriptions of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A subscription to create. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            /** @description A subscription with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkWebhookUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An address to check, as far as it is typed. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UrlInput"];
            };
        };
        responses: {
            /** @description Whether a webhook may have this address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UrlVerdictResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewWebhookFilter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A filter. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookFilter"];
            };
        };
        responses: {
            /** @description What a filter would have let through lately. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterPreviewResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookFilterNames: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What filters can name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterNamesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One subscription. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description What to alter. At least one field. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description One subscription. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description A new secret. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSecretInput"];
            };
        };
        responses: {
            /** @description A subscription with its secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an endpoint made of a test. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendFailedDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        /** @description Which failed deliveries. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendInput"];
            };
        };
        responses: {
            /** @description What is sent again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only deliveries of this subscription.
                 * @example wh_3kTMd1Yb0sZc9QwErTyU
                 */
                webhook_id?: components["parameters"]["WebhookFilter"];
                /**
                 * @description Only deliveries in this state.
                 * @example exhausted
                 */
                state?: components["parameters"]["StateFilter"];
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExchange: {
        parameters: {
            query?: {
                /**
                 * @description Which attempt of the delivery, from 1; left out: the latest that is kept.
                 * @example 1
                 */
                attempt?: components["parameters"]["AttemptNumber"];
            };
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What went over the line in an attempt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One delivery. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWatches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the user watches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setWatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What, and whether. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the user is mailed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationsInput"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listHolds: {
        parameters: {
            query?: {
                /**
                 * @description Only moves of this source.
                 * @example litellm
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of what waits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of the thing.
                 * @example key_3kTMd1Yb0sZc9QwErTyU
                 */
                id: components["parameters"]["PathId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The move and its evidence. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldCaseResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptHolds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What is accepted. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInput"];
            };
        };
        responses: {
            /** @description What was decided. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewOutcomeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectHolds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What is rejected, and why. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectInput"];
            };
        };
        responses: {
            /** @description What was decided. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewOutcomeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFeedSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedSourcesResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBilling: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan, what was bought and what can be. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What to buy. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutInput"];
            };
        };
        responses: {
            /** @description Where to go on. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedirectResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    openPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where to go on. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedirectResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An event of Stripe's, in Stripe's form. It is read from the signed bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StripeEvent"];
            };
        };
        responses: {
            /** @description Says that it was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
