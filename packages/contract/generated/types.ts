// Made from openapi.yaml by scripts/generate.ts (openapi-typescript). Do not edit: change openapi.yaml and run `pnpm generate`.
// SHA-256 of openapi.yaml: 01255a5a89e2965d1893fe7d41861f5fbc9dd0434f18789e10ca66c656d55e23

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the service answers
         * @description Needs no key and is not metered. The answer says that the process is up and handles requests; it does not look
         *     at the database, so `/v1` may answer 503 while this says `ok`. This path also answers `HEAD`.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List price records
         * @description Lists stored price records, newest `updated_at` first, then `resource_id` descending. All filters are
         *     exact and are combined with "and".
         *
         *     Included in every plan, the free one too. Uses up one request.
         *
         *     A record that no source lists any more stays for 30 days with its last price and an unmoved `updated_at`, and
         *     then leaves the list; that it is gone is told as a change of category `model_removed`.
         */
        get: operations["listPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List published changes
         * @description Lists published vendor changes, newest `updated_at` first, then `id` descending. All filters are exact and are
         *     combined with "and".
         *
         *     Operational incidents are left out unless you ask for them, by `category=incident` or
         *     `include_incidents=true`.
         *
         *     Needs a current Developer, Scale, Team or Enterprise subscription. Uses up one request.
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
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your webhook subscriptions
         * @description Lists all subscriptions of your account, inactive ones too, with the outcome of the latest delivery. Secrets
         *     are never returned. Takes no parameters and has one page.
         *
         *     Needs a current paid subscription. Uses up one request.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook subscription
         * @description Registers an HTTPS endpoint for change alerts. The endpoint is not called at creation, and its name is not
         *     resolved; an address that is not public as written (private or loopback addresses, `localhost`, `*.local`,
         *     `*.internal`, names of one label) is refused with 400. The same URL may be registered more than once.
         *
         *     Needs a current Developer or Scale API subscription, or a current Team or Enterprise subscription; the plan
         *     label of an account alone is not enough. Developer allows two active webhooks, the others any number; past
         *     that limit the answer is 402. After a downgrade existing subscriptions go on delivering, but none can be
         *     added while there are too many. Uses up one request, also when the answer is 402.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
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
         * Delete a webhook subscription
         * @description Removes a subscription of your account and cancels what is queued for it: after the answer nothing more is
         *     sent, except for a delivery already under way. The subscription of another account is answered like one
         *     that does not exist.
         *
         *     Needs a current paid subscription. Uses up one request, also when the answer is 404.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read quota, metering and top-up balance
         * @description Tells the plan, the daily quota of the key that asks, its metered requests of the current UTC day by endpoint,
         *     and the top-up packs of the account. Every response you have received is already counted.
         *
         *     Any valid key may ask, at any time: this is never metered, and it is answered when quota and packs are used up.
         *     Takes no parameters.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    changeAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes were published
         * @description Sent to every active subscription of an account with a current paid subscription when changes are published.
         *     Incidents, corrections and metadata are never alerted, and what the regular price imports find only from a
         *     severity the operator sets (3 unless configured otherwise). One publishing run makes one delivery,
         *     or several when it holds more than 100 changes or 256 KiB; none is dropped.
         *
         *     **Verify the signature first.** `x-svc-signature` is `sha256=` and the lower-case hexadecimal HMAC-SHA256 of the raw
         *     request body, keyed with the secret you gave at creation. Compute it over the bytes as received, before parsing,
         *     compare in constant time, and answer 401 when it differs. `timestamp` is the time of this very attempt, so you
         *     may refuse a body older than, say, five minutes: a retry a day later carries a fresh one and a fresh signature.
         *
         *     **Expect repetitions.** Deliveries may come more than once and in any order. Recognise a change by
         *     `changes[].id`; `x-svc-delivery` is the same on every attempt of a delivery.
         *
         *     **Answer fast.** Any status from 200 to 299 counts as received; answer within 15 seconds (5 to connect) and do
         *     the work afterwards. Redirects are never followed. 410 switches the subscription off at once. Anything else is
         *     tried again, at most ten attempts over about three days: the pauses are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h,
         *     14 h, 20 h and 24 h, give or take 20 %. `Retry-After` is honoured within bounds. A subscription
         *     without any success for 5 days and with at least 3 deliveries given up is switched off.
         */
        post: operations["changeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A value to compare with, exactly and case-sensitively. No control characters. */
        ExactFilter: string;
        /** @description An opaque position in a list, in the characters of unpadded base64url. */
        CursorText: string;
        /**
         * Format: date-time
         * @description An instant in UTC, with six decimals and `Z`. Sorts as text.
         * @example 2026-11-21T09:30:00.123456Z
         */
        Timestamp: string;
        /** @description A number of requests. */
        QuotaCount: number;
        /** @description Seconds since 1970-01-01T00:00:00Z. */
        EpochSeconds: number;
        /** @description A sign of life. */
        Health: {
            /**
             * @description Always `ok`; a service that is not well does not answer.
             * @constant
             */
            status: "ok";
            /** @description The clock of the service. */
            timestamp: components["schemas"]["Timestamp"];
        };
        /**
         * @description A stored price record. Every field is always present. Prices are exact decimals with at most 9 decimals; null means
         *     unknown or not applicable, 0 means free of charge.
         */
        Price: {
            /**
             * @description Identifies the record and stays the same over time: `platform[:region]:<id the platform uses>`, case-sensitive.
             * @example openai:gpt-4o-mini
             */
            resource_id: string;
            /**
             * @description The canonical product, `vendor/model`, when the record is linked to one; else null.
             * @example openai/gpt-4o-mini
             */
            product_id: string | null;
            /**
             * @description Who made the model; `unknown` when nobody can tell.
             * @example openai
             */
            vendor: string;
            /**
             * @description Where one pays, for example the vendor's own platform, a cloud or a router.
             * @example openrouter
             */
            platform: string | null;
            /**
             * @description What kind of model it is. In use are `llm`, `embedding`, `image`, `audio`, `video`, `rerank`, `moderation`,
             *     `ocr`, `search` and `other`; others may be added.
             * @example llm
             * @example embedding
             * @example image
             * @example audio
             * @example video
             * @example rerank
             * @example moderation
             * @example ocr
             * @example search
             * @example other
             */
            modality: string | null;
            /**
             * @description The region the price holds for, when the platform prices by region.
             * @example eu-central-1
             */
            region: string | null;
            /**
             * @description What the headline price is per. In use are `1m_tokens`, `1m_characters`, `image`, `minute`, `second`, `query`, `page`,
             *     `request`, `pixel`, `session` and `dbu`; others may be added.
             * @example 1m_tokens
             * @example 1m_characters
             * @example image
             * @example minute
             * @example second
             * @example query
             * @example page
             * @example request
             * @example pixel
             * @example session
             * @example dbu
             */
            unit: string | null;
            /**
             * @description Price of one million input tokens. An exact decimal with at most 9 decimals.
             * @example 0.15
             */
            input_per_mtok: number | null;
            /**
             * @description Price of one million output tokens. An exact decimal with at most 9 decimals.
             * @example 0.6
             */
            output_per_mtok: number | null;
            /**
             * @description Price of one million input tokens read from a cache. An exact decimal with at most 9 decimals.
             * @example 0.075
             */
            cached_input_per_mtok: number | null;
            /**
             * @description Price of one image. An exact decimal with at most 9 decimals.
             * @example 0.04
             */
            image_per_unit: number | null;
            /**
             * @description Price of one minute of audio. An exact decimal with at most 9 decimals.
             * @example 0.006
             */
            audio_per_min: number | null;
            /**
             * @description Price of one second of video. An exact decimal with at most 9 decimals.
             * @example 0.1
             */
            video_per_sec: number | null;
            /**
             * @description The currency of all prices of the record.
             * @example USD
             */
            currency: string | null;
            /**
             * Format: uri
             * @description Where the price was read, when there is a page to show. Only ever `http` or `https`, without user information.
             * @example https://vendor.example/pricing
             */
            source_url: string | null;
            /**
             * @description Since when the price holds, as its source says: a plain date (`YYYY-MM-DD`) or a timestamp in UTC. When the source
             *     says nothing, the `updated_at` of the record.
             * @example 2026-11-01
             * @example 2026-11-20T06:00:00.000418Z
             */
            effective_at: string;
            /** @description When a value of this stored record last moved. It says nothing about when a price was last checked. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A page of price records. */
        PriceList: {
            schema_version: components["schemas"]["SchemaVersion"];
            /** @description The records, newest `updated_at` first. */
            data: components["schemas"]["Price"][];
            pagination?: components["schemas"]["Pagination"];
        };
        /**
         * @description The version of the response's form. It stays 1 as long as changes are additive.
         * @constant
         */
        SchemaVersion: 1;
        /** @description How to get the next page. Absent on the last one. */
        Pagination: {
            /** @description Pass it back unchanged as `cursor`. */
            next_cursor: components["schemas"]["CursorText"];
        };
        /**
         * @description A published change. With `access` `summary` the details are withheld: `diff_*`, `impact_*` other than `impact_score` and
         *     `migration_deadline` are left out or null, and `alternatives` is empty.
         */
        Change: {
            /** @description Identifies the change. */
            id: string;
            /** @description Who made the model; `unknown` when nobody can tell. */
            vendor: string;
            /** @description The canonical product id, or the `resource_id` of a record that is not linked to a product. */
            product: string;
            /** @description The modality of the product; `other` when its record has none. */
            modality: string;
            /**
             * @description What kind of change it is. An open list; in use are `price_cut`, `price_rise`, `model_added`, `model_removed`,
             *     `deprecation`, `tier_change`, `correction`, `metadata` and `incident`.
             * @example price_cut
             * @example price_rise
             * @example model_added
             * @example model_removed
             * @example deprecation
             * @example tier_change
             * @example correction
             * @example metadata
             * @example incident
             */
            category: string;
            /** @description How much it matters, from 1 (little) to 5 (very much). */
            severity: number;
            /** @description The change in one line. */
            title: string;
            /** @description The change in a few sentences. */
            summary: string;
            /**
             * @description The values before, as JSON text: `{resource_id: {field: value}}`.
             * @example {"openai:gpt-4o-mini":{"input_per_mtok":0.2}}
             */
            diff_before?: string | null;
            /**
             * @description The values after, as JSON text: `{resource_id: {field: value}}`.
             * @example {"openai:gpt-4o-mini":{"input_per_mtok":0.15}}
             */
            diff_after?: string | null;
            /**
             * @description What moved, as JSON text: an array of `resource_id#field`.
             * @example ["openai:gpt-4o-mini#input_per_mtok"]
             */
            diff_keys?: string | null;
            /** @description The impact over all, from 0 to 100. */
            impact_score: number;
            /** @description The impact on cost, from 0 to 100. */
            impact_cost?: number | null;
            /** @description The impact on reliability, from 0 to 100. */
            impact_reliability?: number | null;
            /** @description How much work a migration is, from 0 to 100. */
            impact_migration?: number | null;
            /** @description The impact on quality, from 0 to 100. */
            impact_quality?: number | null;
            /** @description The impact on compliance, from 0 to 100. */
            impact_compliance?: number | null;
            /** @description What the impact consists of, in words. */
            impact_notes?: string | null;
            /**
             * @description Until when users must have moved, as its source says: a plain date (`YYYY-MM-DD`) or a timestamp in UTC.
             * @example 2027-03-31
             */
            migration_deadline?: string | null;
            /**
             * @description From when the change holds, as its source says: a plain date (`YYYY-MM-DD`) or a timestamp in UTC.
             * @example 2026-11-18
             */
            effective_time?: string | null;
            /** @description When the change was first noticed. */
            first_seen: components["schemas"]["Timestamp"];
            /** @description When the change was last noticed. */
            last_seen: components["schemas"]["Timestamp"];
            /** @description Whether somebody has checked the change against its source; null when nobody has said. */
            verified?: boolean | null;
            /**
             * Format: date-time
             * @description When it was checked, in UTC with six decimals and `Z`.
             * @example 2026-11-18T14:30:00.000001Z
             */
            verified_at?: string | null;
            /**
             * @description Where the change stands. An open list; in use are `announced`, `in_effect` and `withdrawn`.
             * @example announced
             * @example in_effect
             * @example withdrawn
             */
            status?: string | null;
            /** @description Reserved. Ratecard does not count views and never sends it. */
            view_count?: number | null;
            /** @description When the change was published. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When a value of the published change last moved. */
            updated_at: components["schemas"]["Timestamp"];
            /** @description What one could move to, the best first. */
            alternatives: components["schemas"]["ChangeAlternative"][];
            /** @description Whether the change is given in full or in summary. */
            access: components["schemas"]["ChangeAccess"];
        };
        /**
         * @description How much of a change your plan shows.
         * @enum {string}
         */
        ChangeAccess: "summary" | "full";
        /** @description A product one could move to. */
        ChangeAlternative: {
            /** @description Identifies the alternative. */
            id: string;
            /** @description The `id` of the change it belongs to. */
            change_id: string;
            /** @description The canonical id of the product. */
            product_id: string;
            /** @description The name of the product as people know it. */
            product_name: string;
            /** @description Who made the product. */
            vendor: string;
            /** @description How much work the move is. */
            migration_effort: components["schemas"]["MigrationEffort"];
            /**
             * @description How the cost changes by the move, in per cent; negative is cheaper.
             * @example -12.5
             */
            cost_diff_pct?: number | null;
            /** @description How the quality compares, in words. */
            quality_comparison?: string | null;
            /** @description What else there is to know. */
            notes?: string | null;
            /** @description The place among the alternatives of the change; 1 is the best. */
            rank: number;
            /** @description When the alternative was published. */
            created_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description How much work a move is.
         * @enum {string}
         */
        MigrationEffort: "low" | "medium" | "high";
        /** @description A page of changes. */
        ChangeList: {
            schema_version: components["schemas"]["SchemaVersion"];
            /** @description The changes, newest `updated_at` first. */
            data: components["schemas"]["Change"][];
            pagination?: components["schemas"]["Pagination"];
        };
        /**
         * @description An event kind, or `*` for all of them, those added in future too. Today there is one.
         * @enum {string}
         */
        WebhookEvent: "change.alert" | "*";
        /** @description A subscription. Its secret is never returned. */
        Webhook: {
            /** @description Identifies the subscription. */
            id: string;
            /**
             * Format: uri
             * @description Where alerts are sent.
             */
            url: string;
            /** @description Which events are sent. */
            events: components["schemas"]["WebhookEvent"][];
            /**
             * @description Whether alerts are sent. It becomes false when the endpoint answers 410, or after 5 days without any success and at
             *     least 3 deliveries given up. To start again, delete the subscription and create it anew.
             */
            active: boolean;
            /** @description Whether a signing secret is stored. */
            has_secret: boolean;
            /**
             * @description The HTTP status of the latest attempt; null when there was none, no answer came, or what was answered is no status of HTTP.
             * @example 204
             */
            last_status?: number | null;
            /**
             * @description What went wrong with the latest attempt; null after a success. It begins with one of `timeout`, `dns`, `tls`, `connect`,
             *     `blocked_address`, `redirect` or `http_<status>`, followed by a short sentence that says what to do. The status of
             *     `http_<status>` are the three digits that were answered, such as `http_999` for one that HTTP does not have.
             */
            last_error?: string | null;
            /** @description When the subscription was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When the subscription last moved. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A subscription to create. */
        WebhookInput: {
            /**
             * Format: uri
             * @description Where to send alerts. `https://` in lower case, at most 2,048 characters, without user info and without a
             *     fragment; any port. It must not name a private, loopback or otherwise reserved address.
             * @example https://hooks.customer.example/ratecard
             */
            url: string;
            /**
             * @description The key of the HMAC that signs each delivery: 16 to 512 Unicode code points, no control characters. Choose it
             *     at random. It is stored encrypted and never returned.
             * @example a-long-random-string-of-your-own
             */
            secret: string;
            /**
             * @description Which events to send.
             * @default [
             *       "change.alert"
             *     ]
             */
            events: components["schemas"]["WebhookEvent"][];
        };
        /** @description All subscriptions of an account. */
        WebhookList: {
            /** @description The subscriptions. */
            data: components["schemas"]["Webhook"][];
        };
        /** @description One subscription. */
        WebhookResult: {
            data: components["schemas"]["Webhook"];
        };
        /** @description Says that something was deleted. */
        DeletedResult: {
            /**
             * @description Always true.
             * @constant
             */
            success: true;
        };
        /** @description Where a key and its account stand. */
        Usage: {
            schema_version?: components["schemas"]["SchemaVersion"];
            /** @description `developer` with any current paid subscription, else `api_free`. */
            plan: components["schemas"]["UsagePlan"];
            /**
             * Format: date
             * @description The UTC day the numbers are of.
             * @example 2026-11-21
             */
            day: string;
            daily_quota: components["schemas"]["DailyQuota"];
            endpoints: components["schemas"]["EndpointCounts"];
            /** @description The sum of `endpoints`. */
            metered_total?: number;
            topup: components["schemas"]["TopupBalance"];
        };
        /**
         * @description A plan as the usage endpoint names it.
         * @enum {string}
         */
        UsagePlan: "api_free" | "developer";
        /** @description The daily quota of the key. Requests paid by a pack are not in it. */
        DailyQuota: {
            /** @description Requests per UTC day of the plan. */
            limit: components["schemas"]["QuotaCount"];
            /** @description What this key has taken of it today. More than `limit` after a downgrade. */
            used: components["schemas"]["QuotaCount"];
            /** @description What is left of it today, never below 0. */
            remaining: components["schemas"]["QuotaCount"];
            /** @description When it starts again, the next UTC midnight. */
            reset_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description Metered requests of this key today by endpoint, whether the daily quota or a pack paid. Other endpoints may be
         *     added.
         */
        EndpointCounts: {
            /** @description Requests to `/v1/prices`. */
            prices: number;
            /** @description Requests to `/v1/changes`. */
            changes: number;
            /** @description Requests to `/v1/webhooks`, of any kind. */
            webhooks: number;
        } & {
            [key: string]: number;
        };
        /** @description The top-up packs of the account. */
        TopupBalance: {
            /** @description Requests left in all packs together. */
            remaining: number;
            /** @description The packs that are neither empty nor expired, in the order in which they are used. */
            packs: components["schemas"]["TopupPack"][];
            /**
             * Format: uri
             * @description Where to buy a pack.
             */
            purchase_url: string;
        };
        /** @description A top-up pack. */
        TopupPack: {
            /** @description Identifies the pack. */
            id: string;
            /** @description Requests left in it. */
            remaining: number;
            /** @description When what is left lapses. */
            expires_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description What went wrong, for programs. `method_not_allowed`, `request_timeout` and `headers_too_large` come from routing and
         *     HTTP parsing, before any operation.
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "unauthorized" | "webhook_limit_reached" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "quota_exceeded" | "headers_too_large" | "internal_error" | "service_unavailable";
        /** @description The body of every error but 429. */
        ErrorBody: {
            error: components["schemas"]["ErrorCode"];
            /** @description What went wrong, for people. Its wording may change. */
            message: string;
            /** @description The HTTP status of the response. */
            status: number;
            /**
             * Format: uri
             * @description Where to get a plan that allows the request. Present with 402 and 403.
             */
            upgrade_url?: string;
        };
        /** @description The body of a 429. */
        QuotaErrorBody: {
            /**
             * @description What went wrong, for programs.
             * @constant
             */
            error: "quota_exceeded";
            /** @description What went wrong, for people. Its wording may change. */
            message: string;
            /**
             * @description The HTTP status of the response.
             * @constant
             */
            status: 429;
            /**
             * Format: uri
             * @description Where to get a plan with a larger daily quota.
             */
            upgrade_url?: string;
            /**
             * Format: uri
             * @description Where to buy a top-up pack.
             */
            topup_url: string;
        };
        /**
         * @description The event kind of a delivery.
         * @constant
         */
        ChangeAlertEvent: "change.alert";
        /** @description The body of a delivery. Ignore fields you do not know. */
        ChangeAlert: {
            event: components["schemas"]["ChangeAlertEvent"];
            /** @description The time of this attempt. Each attempt has its own, and its own signature. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The published changes, 1 to 100, in the order of their publication. */
            changes: components["schemas"]["AlertedChange"][];
        };
        /** @description A change in short. */
        AlertedChange: {
            /** @description The `id` of the change. De-duplicate by it. */
            id: string;
            /** @description Who made the model. */
            vendor: string;
            /** @description The canonical product id, or the `resource_id` of a record that is not linked to a product. */
            product: string;
            /** @description What kind of change it is; an open list, see `Change`. */
            category: string;
            /** @description The change in one line. */
            title: string;
            /** @description The change in a few sentences. */
            summary: string;
            /** @description How much it matters, from 1 (little) to 5 (very much). */
            severity: number;
            /**
             * Format: uri
             * @description A page about the change.
             */
            url: string;
        };
    };
    responses: {
        /** @description The request is not valid; this path takes no parameters. */
        PublicBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Something went wrong on our side. */
        PublicInternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description Something in the query, the path or the body is not valid; `message` says what. No request is used up. Trying
         *     again unchanged does not help.
         */
        BadRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemainingIfKnown"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitResetIfKnown"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The API key is missing, unknown or revoked. The body is the same for every cause. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The plan allows no further active webhook. Delete one, or upgrade at `upgrade_url`. Uses up one request. */
        WebhookLimitReached: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description The key is valid, but the plan does not include this endpoint; `upgrade_url` leads to the plans. No request is
         *     used up.
         */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Your account has no webhook with this id. Uses up one request. */
        WebhookNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body has more than 64 KiB. No request is used up. */
        PayloadTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body is not `application/json` in UTF-8. No request is used up. */
        UnsupportedMediaType: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description The daily quota of this key is used up and the account has no top-up balance. Wait for UTC midnight
         *     (`Retry-After`) or buy a pack at `topup_url`; the next request after a purchase is served.
         */
        QuotaExceeded: {
            headers: {
                "Retry-After": components["headers"]["RetryAfterMidnight"];
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["QuotaErrorBody"];
            };
        };
        /** @description Something went wrong on our side. Name the `X-Request-Id` when you ask for help. */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["XRateLimitLimitIfKnown"];
                "X-RateLimit-Remaining": components["headers"]["XRateLimitRemainingIfKnown"];
                "X-RateLimit-Reset": components["headers"]["XRateLimitResetIfKnown"];
                "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description A store behind the service cannot be reached, or the service is too busy. Try again after `Retry-After`. No
         *     request is used up.
         */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfterOutage"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /**
         * @description Only rows of this vendor, by its exact id. The vendor is who made the model.
         * @example openai
         */
        Vendor: components["schemas"]["ExactFilter"];
        /**
         * @description Only rows of this canonical product, by its exact id. It is compared with the product id as it stands and is
         *     never guessed from a resource id.
         * @example openai/gpt-4o-mini
         */
        Product: components["schemas"]["ExactFilter"];
        /**
         * @description Only rows of this platform, by its exact id. The platform is where one pays: a vendor's own, a cloud or a router.
         * @example openrouter
         */
        Platform: components["schemas"]["ExactFilter"];
        /**
         * @description Only rows of this modality. In use are `llm`, `embedding`, `image`, `audio`, `video`, `rerank`, `moderation`,
         *     `ocr`, `search` and `other`; rows without one cannot be asked for.
         * @example llm
         */
        Modality: components["schemas"]["ExactFilter"];
        /**
         * @description Only changes of this category, for example `price_cut` or `deprecation`. `incident` lists operational incidents,
         *     which are left out otherwise.
         * @example price_cut
         */
        Category: components["schemas"]["ExactFilter"];
        /**
         * @description `true` lists operational incidents among the other changes. It has no effect together with `category`. Exactly
         *     `true` or `false`.
         * @example true
         */
        IncludeIncidents: boolean;
        /**
         * @description Only changes of at least this severity. Digits only.
         * @example 3
         */
        MinSeverity: number;
        /**
         * @description Only rows whose `updated_at` is this instant or later. An RFC 3339 instant with an offset:
         *     `YYYY-MM-DDThh:mm:ss`, then an optional fraction of a second, then `Z` or `+hh:mm` or `-hh:mm`. The date must
         *     exist, the year is 0001 to 9999 (in UTC too), hours are 00 to 23, minutes and seconds 00 to 59; `t` and `z` may be lower-case.
         *     Fractional digits after the sixth are cut off. A date alone, a time without offset and a space instead of `T` are refused with 400. Write
         *     the `+` of an offset as `%2B`.
         *
         *     Pass the largest `updated_at` you have seen to get what is new since then.
         * @example 2026-11-20T06:00:00.000418Z
         */
        Since: string;
        /**
         * @description The `pagination.next_cursor` of the page before, unchanged. Its content is not for you to build or to alter; one
         *     that is not exactly as issued is refused with 400.
         * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
         */
        Cursor: components["schemas"]["CursorText"];
        /**
         * @description How many rows a page has at most. Digits only.
         * @example 100
         */
        Limit: number;
        /**
         * @description The `id` of the subscription.
         * @example whk_5f0c2a91
         */
        WebhookId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Requests per UTC day of the plan, for this key.
         * @example 10000
         */
        XRateLimitLimit: components["schemas"]["QuotaCount"];
        /**
         * @description What is left of the daily quota of this key. Packs are not counted in; `GET /v1/usage` tells them. Requests that
         *     the quota paid show each number of a day once. Some come out of order: requests at the same time, and after an
         *     outage numbers of requests that were answered with 503, at no cost.
         * @example 9876
         */
        XRateLimitRemaining: components["schemas"]["QuotaCount"];
        /**
         * @description When the daily quota starts again, the next UTC midnight, in seconds since 1970-01-01T00:00:00Z.
         * @example 1795305600
         */
        XRateLimitReset: components["schemas"]["EpochSeconds"];
        /**
         * @description Requests per UTC day of the plan, for this key. Left out when the request failed before its key was checked.
         * @example 10000
         */
        XRateLimitLimitIfKnown: components["schemas"]["QuotaCount"];
        /**
         * @description What is left of the daily quota of this key. Left out when the request failed before its key was checked.
         * @example 9876
         */
        XRateLimitRemainingIfKnown: components["schemas"]["QuotaCount"];
        /**
         * @description When the daily quota starts again, in seconds since 1970-01-01T00:00:00Z. Left out when the request failed before
         *     its key was checked.
         * @example 1795305600
         */
        XRateLimitResetIfKnown: components["schemas"]["EpochSeconds"];
        /**
         * @description Present when a top-up pack, not the daily quota, paid for this request.
         * @example true
         */
        XRateLimitTopup: "true";
        /**
         * @description Identifies this request. Name it when you ask for help.
         * @example 4d2f0f5e-7b1c-4b5f-8a44-2f7c3f5f9b10
         */
        XRequestId: string;
        /**
         * @description Responses belong to one account and must not be kept by any cache.
         * @example private, no-store
         */
        CacheControl: "private, no-store";
        /**
         * @description Names `Authorization`, and `Accept-Encoding` where the response may be compressed.
         * @example Authorization, Accept-Encoding
         */
        Vary: string;
        /**
         * @description The scheme to authenticate with.
         * @example Bearer
         */
        WWWAuthenticate: string;
        /**
         * @description Seconds until the daily quota starts again, at UTC midnight.
         * @example 52200
         */
        RetryAfterMidnight: number;
        /**
         * @description Seconds to wait before trying again.
         * @example 2
         */
        RetryAfterOutage: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            500: components["responses"]["PublicInternalError"];
        };
    };
    listPrices: {
        parameters: {
            query?: {
                /**
                 * @description Only rows of this vendor, by its exact id. The vendor is who made the model.
                 * @example openai
                 */
                vendor?: components["parameters"]["Vendor"];
                /**
                 * @description Only rows of this canonical product, by its exact id. It is compared with the product id as it stands and is
                 *     never guessed from a resource id.
                 * @example openai/gpt-4o-mini
                 */
                product?: components["parameters"]["Product"];
                /**
                 * @description Only rows of this platform, by its exact id. The platform is where one pays: a vendor's own, a cloud or a router.
                 * @example openrouter
                 */
                platform?: components["parameters"]["Platform"];
                /**
                 * @description Only rows of this modality. In use are `llm`, `embedding`, `image`, `audio`, `video`, `rerank`, `moderation`,
                 *     `ocr`, `search` and `other`; rows without one cannot be asked for.
                 * @example llm
                 */
                modality?: components["parameters"]["Modality"];
                /**
                 * @description Only rows whose `updated_at` is this instant or later. An RFC 3339 instant with an offset:
                 *     `YYYY-MM-DDThh:mm:ss`, then an optional fraction of a second, then `Z` or `+hh:mm` or `-hh:mm`. The date must
                 *     exist, the year is 0001 to 9999 (in UTC too), hours are 00 to 23, minutes and seconds 00 to 59; `t` and `z` may be lower-case.
                 *     Fractional digits after the sixth are cut off. A date alone, a time without offset and a space instead of `T` are refused with 400. Write
                 *     the `+` of an offset as `%2B`.
                 *
                 *     Pass the largest `updated_at` you have seen to get what is new since then.
                 * @example 2026-11-20T06:00:00.000418Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged. Its content is not for you to build or to alter; one
                 *     that is not exactly as issued is refused with 400.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most. Digits only.
                 * @example 100
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of price records. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["QuotaExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /**
                 * @description Only rows of this vendor, by its exact id. The vendor is who made the model.
                 * @example openai
                 */
                vendor?: components["parameters"]["Vendor"];
                /**
                 * @description Only rows of this canonical product, by its exact id. It is compared with the product id as it stands and is
                 *     never guessed from a resource id.
                 * @example openai/gpt-4o-mini
                 */
                product?: components["parameters"]["Product"];
                /**
                 * @description Only changes of this category, for example `price_cut` or `deprecation`. `incident` lists operational incidents,
                 *     which are left out otherwise.
                 * @example price_cut
                 */
                category?: components["parameters"]["Category"];
                /**
                 * @description `true` lists operational incidents among the other changes. It has no effect together with `category`. Exactly
                 *     `true` or `false`.
                 * @example true
                 */
                include_incidents?: components["parameters"]["IncludeIncidents"];
                /**
                 * @description Only changes of at least this severity. Digits only.
                 * @example 3
                 */
                min_severity?: components["parameters"]["MinSeverity"];
                /**
                 * @description Only rows whose `updated_at` is this instant or later. An RFC 3339 instant with an offset:
                 *     `YYYY-MM-DDThh:mm:ss`, then an optional fraction of a second, then `Z` or `+hh:mm` or `-hh:mm`. The date must
                 *     exist, the year is 0001 to 9999 (in UTC too), hours are 00 to 23, minutes and seconds 00 to 59; `t` and `z` may be lower-case.
                 *     Fractional digits after the sixth are cut off. A date alone, a time without offset and a space instead of `T` are refused with 400. Write
                 *     the `+` of an offset as `%2B`.
                 *
                 *     Pass the largest `updated_at` you have seen to get what is new since then.
                 * @example 2026-11-20T06:00:00.000418Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * @description The `pagination.next_cursor` of the page before, unchanged. Its content is not for you to build or to alter; one
                 *     that is not exactly as issued is refused with 400.
                 * @example WyIyMDI2LTExLTE4VDE0OjMwOjAwLjAwMDAwMloiLCJjaGdfN2gyazlkNG0iXQ
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description How many rows a page has at most. Digits only.
                 * @example 100
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
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["QuotaExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All subscriptions of the account. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["QuotaExceeded"];
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
        /** @description The endpoint and its secret, at most 64 KiB of JSON. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            /** @description The subscription as stored, without its secret. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["WebhookLimitReached"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QuotaExceeded"];
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
                 * @description The `id` of the subscription.
                 * @example whk_5f0c2a91
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription is gone. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    "X-RateLimit-Topup": components["headers"]["XRateLimitTopup"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookNotFound"];
            429: components["responses"]["QuotaExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the key and the account stand now. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["XRateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["XRateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["XRateLimitReset"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeAlert: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `sha256=` and the lower-case hexadecimal HMAC-SHA256 of the raw request body, keyed with the secret of the
                 *     subscription.
                 * @example sha256=3f1c0d6f0b7a4e6e9d2f5b8c1a7e4d3c2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e
                 */
                "x-svc-signature": string;
                /**
                 * @description Identifies the delivery; the same on every attempt.
                 * @example 0f8b6a52-6b0e-4b7e-9f43-0c5a6f1f2d11
                 */
                "x-svc-delivery": string;
                /**
                 * @description Counts the attempts of this delivery, from 1.
                 * @example 1
                 */
                "x-svc-attempt": number;
                /**
                 * @description Present on a delivery that was sent to try out the endpoint and tells of no real change. Verify and answer
                 *     it as any other, and do not act on its content.
                 * @example true
                 */
                "x-svc-test"?: "true";
                /**
                 * @description Names the sender and its version.
                 * @example Ratecard-Webhooks/1.0.0
                 */
                "user-agent": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The changes, as `application/json; charset=utf-8`, never compressed. The signature is over exactly these bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAlert"];
            };
        };
        responses: {
            /** @description The signature does not match. The delivery is tried again later. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint is gone for good. The subscription is switched off at once. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. The body is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other answer, a redirect too, counts as a failure. The delivery is tried again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
