var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};

// packages/cost/src/errors.ts
function isOne(value, name) {
  return Object(value)[brand] === name;
}
var brand, UsageError, CatalogError;
var init_errors = __esm({
  "packages/cost/src/errors.ts"() {
    "use strict";
    brand = /* @__PURE__ */ Symbol.for("@ratecard/cost error");
    UsageError = class extends Error {
      get name() {
        return "UsageError";
      }
      get [brand]() {
        return "UsageError";
      }
      static [Symbol.hasInstance](value) {
        return isOne(value, "UsageError");
      }
    };
    CatalogError = class extends Error {
      get name() {
        return "CatalogError";
      }
      get [brand]() {
        return "CatalogError";
      }
      static [Symbol.hasInstance](value) {
        return isOne(value, "CatalogError");
      }
    };
  }
});

// packages/cost/src/book.ts
function bookOf(catalog) {
  return openCatalog(catalog).book;
}
function openCatalog(catalog) {
  const inside2 = catalog?.[key];
  if (inside2 === void 0) throw new TypeError('"catalog" is missing: give a Catalog.');
  return inside2;
}
function derivedOf(book, key2, make) {
  let value = book.derived.get(key2);
  if (value === void 0) book.derived.set(key2, value = make(book));
  return value;
}
function openBook(given, origin) {
  const snapshot = checked(typeof given === "string" ? parsed(given) : given);
  const byId2 = /* @__PURE__ */ new Map();
  for (const record of snapshot.resources) {
    if (typeof record?.resource_id !== "string")
      throw new CatalogError(damaged("A record has no resource_id"));
    byId2.set(record.resource_id, record);
  }
  if (byId2.size !== snapshot.resources.length) throw new CatalogError(damaged("A resource_id is there twice"));
  const momentMs = Date.parse(snapshot.as_of ?? snapshot.generated_at);
  return { snapshot, origin, momentMs, byId: byId2, derived: /* @__PURE__ */ new Map() };
}
function parsed(text2) {
  try {
    return JSON.parse(text2);
  } catch (cause) {
    throw new CatalogError("The snapshot is no whole JSON.", { cause });
  }
}
function damaged(how) {
  return `The snapshot is damaged: load it again. ${how}.`;
}
function checked(given) {
  const { format, format_version, resources, resource_count, generated_at, as_of } = Object(given);
  if (format !== "ratecard-snapshot" || !Array.isArray(resources))
    throw new CatalogError(
      'This is no snapshot of Ratecard: take "ratecard prices export", or /snapshot.json.'
    );
  if (format_version !== 1)
    throw new CatalogError(
      `The form of the snapshot is ${String(format_version)}, and not 1: update @ratecard/cost.`
    );
  if (resources.length !== resource_count)
    throw new CatalogError(damaged(`It names ${resource_count} records and has ${resources.length}`));
  if (Number.isNaN(Date.parse(as_of ?? generated_at)))
    throw new CatalogError(damaged("It does not say when it was written"));
  return given;
}
var key, Catalog;
var init_book = __esm({
  "packages/cost/src/book.ts"() {
    "use strict";
    init_errors();
    key = /* @__PURE__ */ Symbol.for("@ratecard/cost catalog");
    Catalog = class {
      /**
       * @param snapshot the document of `ratecard prices export --format json` or `/snapshot.json`, parsed or as text
       * @throws CatalogError where it is none
       */
      constructor(snapshot, { origin = "data" } = {}) {
        Object.defineProperty(this, key, { value: { book: openBook(snapshot, origin) } });
      }
      /** The version of the list of prices; two snapshots of one service with the same one have the same prices. */
      get version() {
        return bookOf(this).snapshot.catalog_version;
      }
      /** How many records there are. */
      get size() {
        return bookOf(this).snapshot.resources.length;
      }
      /** The record of this `resource_id`; undefined: there is none. */
      get(resourceId) {
        return bookOf(this).byId.get(resourceId);
      }
      /** All records, in the order of the snapshot. */
      records() {
        return bookOf(this).snapshot.resources;
      }
      /** Which state this is, and how old its prices are at that moment. */
      stamp(nowMs = Date.now()) {
        const { snapshot, origin, momentMs } = bookOf(this);
        return {
          version: snapshot.catalog_version,
          generatedAt: snapshot.generated_at,
          asOf: snapshot.as_of,
          origin,
          ageMs: Math.max(0, nowMs - momentMs)
        };
      }
      /**
       * Puts a newer snapshot in place of this one, as a whole or not at all.
       * @throws CatalogError where it is none; what was there stays
       */
      replace(snapshot) {
        const inside2 = openCatalog(this);
        inside2.book = openBook(snapshot, inside2.book.origin);
      }
      static [Symbol.hasInstance](value) {
        return Object(value)[key] !== void 0;
      }
    };
  }
});

// packages/mcp/src/remote.ts
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";

// packages/cost/src/index.ts
init_book();

// packages/cost/src/cost-of.ts
init_book();

// packages/cost/src/counts.ts
init_errors();

// packages/contract/src/decimal.js
var decimal = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;
function exactOf(text2) {
  const match = decimal.exec(text2);
  if (!match) throw new RangeError(`Not a decimal: ${text2.slice(0, 40)}`);
  const [, whole = "", part = "", power = "0"] = match;
  const scale = part.length - Number(power);
  const units2 = BigInt(whole + part);
  return scale < 0 ? { units: units2 * 10n ** BigInt(-scale), scale: 0 } : { units: units2, scale };
}
function textOf({ units: units2, scale }) {
  const digits = units2.toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

// packages/cost/src/exact.ts
var one = { units: 1, scale: 0 };
var zero = { units: 0, scale: 0 };
var charsMax = 200;
var unitsMax = 10n ** 200n;
function exactDecimal(text2) {
  if (typeof text2 !== "string" || text2.length > charsMax) throw new RangeError("Not a decimal");
  const { units: units2, scale } = exactOf(text2);
  if (scale > charsMax || units2 > unitsMax) throw new RangeError("Not a decimal");
  return { units: units2 <= Number.MAX_SAFE_INTEGER ? Number(units2) : units2, scale };
}
function exactCount(count2) {
  if (typeof count2 === "number" && Number.isSafeInteger(count2) && count2 >= 0)
    return { units: count2, scale: 0 };
  if (typeof count2 === "bigint" && count2 >= 0n && count2 < 10n ** 30n) return { units: count2, scale: 0 };
  const text2 = typeof count2 === "number" ? String(count2) : count2;
  try {
    return exactDecimal(text2);
  } catch {
    throw new RangeError(`${said(count2)} is no count: it is a number of 0 or more`);
  }
}
function said(value) {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
}
function product(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const fast = a * b;
    if (fast <= Number.MAX_SAFE_INTEGER) return fast;
  }
  return BigInt(a) * BigInt(b);
}
function sum(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const fast = a + b;
    if (fast <= Number.MAX_SAFE_INTEGER) return fast;
  }
  return BigInt(a) + BigInt(b);
}
function times(a, b) {
  return { units: product(a.units, b.units), scale: a.scale + b.scale };
}
function plus(a, b) {
  if (a.scale < b.scale) return plus(b, a);
  return { units: sum(a.units, product(b.units, tenTo(a.scale - b.scale))), scale: a.scale };
}
var restScale = 24;
function over(a, divisor) {
  const units2 = BigInt(product(a.units, tenTo(restScale)));
  return { units: (2n * units2 + divisor) / (2n * divisor), scale: a.scale + restScale };
}
function perMillion({ units: units2, scale }) {
  return { units: units2, scale: scale + 6 };
}
function isAbove(a, b) {
  return product(a.units, tenTo(b.scale)) > product(b.units, tenTo(a.scale));
}
function formatDecimal({ units: units2, scale }) {
  return scale === 0 ? String(units2) : textOf({ units: units2, scale });
}
var powers = [];
function tenTo(power) {
  return powers[power] ??= power < 16 ? 10 ** power : 10n ** BigInt(power);
}

// packages/cost/src/counts.ts
var itemsMax = 200;
function itemsOf(usage) {
  const { counts } = Object(usage);
  if (typeof counts !== "object" || counts === null)
    throw new UsageError(
      'This is no usage with "counts". Read the answer with a reader of @ratecard/cost/readers: readUsage names the right one.'
    );
  const items = [];
  const add2 = (meter, variant, count2) => {
    if (count2 === void 0 || count2 === 0) return;
    const exact = parseCount(count2, meter);
    if (exact.units) items.push({ meter, variant, count: exact });
  };
  for (const meter in counts) {
    const stated = counts[meter];
    if (typeof stated !== "object" || stated === null) add2(meter, null, stated);
    else for (const variant in stated) add2(meter, normalVariant(meter, variant), stated[variant]);
  }
  if (items.length > itemsMax) throw new UsageError(`A usage has at most ${itemsMax} counts.`);
  return items;
}
function countRequests({ requests }) {
  if (requests === void 0 || requests === null) return 1;
  if (!Number.isSafeInteger(requests) || requests < 1)
    throw new UsageError('"requests" is a whole number of 1 or more: of how many requests this is the sum.');
  return requests;
}
function asBilled(items, { rates }, requests) {
  const least = requests === 1 ? rates.get(leastSeconds)?.[0]?.perOne : void 0;
  const timed = least === void 0 ? items : items.map(
    (item) => item.meter.endsWith("_audio_seconds") && isAbove(least, item.count) ? { ...item, count: least } : item
  );
  if (!rates.has("requests") || items.length === 0) return timed;
  if (items.some(({ meter }) => meter === "requests")) return timed;
  return [...timed, { meter: "requests", variant: null, count: { units: BigInt(requests), scale: 0 } }];
}
var leastSeconds = "least_seconds";
function normalVariant(meter, variant) {
  return variant === "" || variant === "5m" && meter.startsWith("cache_write") ? null : variant;
}
function parseCount(count2, meter) {
  try {
    return exactCount(count2);
  } catch (error) {
    throw new UsageError(`counts.${meter.slice(0, 60)}: ${error.message}.`);
  }
}

// packages/cost/src/unit.ts
function findUnit(meter) {
  if (meter.endsWith("_tokens")) return "1m_tokens";
  if (meter.endsWith("_characters")) return "1m_characters";
  return "one";
}
var doubtMeter = "vendor_rule";

// packages/cost/src/card.ts
var columns = [
  ["input_per_mtok", "input_tokens", "1m_tokens"],
  ["output_per_mtok", "output_tokens", "1m_tokens"],
  ["cached_input_per_mtok", "cached_input_tokens", "1m_tokens"],
  ["image_per_unit", "output_images", "image"],
  ["audio_per_min", "audio_minutes", "minute"],
  ["video_per_sec", "output_video_seconds", "second"]
];
var cards = /* @__PURE__ */ new WeakMap();
function cardOf(record) {
  let card = cards.get(record);
  if (card === void 0) cards.set(record, card = makeCard(record, null));
  return card;
}
function announcedCard(record, begun) {
  return makeCard(record, begun);
}
function pastCard(record, past) {
  return makeCard({ ...record, ...past }, null);
}
function makeCard(record, begun) {
  const rates = /* @__PURE__ */ new Map();
  const add2 = (meter, rate) => {
    const known2 = rates.get(meter);
    if (known2 === void 0) rates.set(meter, [rate]);
    else known2.push(rate);
  };
  const moved = /* @__PURE__ */ new Set();
  for (const [field, meter, unit] of columns) {
    const later2 = begun?.findLast((amounts) => amounts[field] !== null)?.[field] ?? null;
    if (later2 !== null && later2 !== record[field]) moved.add(meter);
    const amount2 = later2 ?? record[field];
    if (amount2 !== null) add2(meter, { ...plainRate, meter, unit, amount: amount2, perOne: divideByUnit(amount2, unit) });
  }
  const thresholds = /* @__PURE__ */ new Set();
  const multipliers = /* @__PURE__ */ new Map();
  const open = /* @__PURE__ */ new Set();
  for (const { meter, unit, amount: amount2, service_tier, variant, threshold, hours } of record.rates ?? []) {
    if (meter === doubtMeter) {
      open.add(variant);
      continue;
    }
    if (meter === "price_multiplier") {
      if (variant !== null) multipliers.set(variant, amount2);
      continue;
    }
    if (moved.size > 0 && (moved.has(meter) || unit === "1m_tokens")) continue;
    const perOne = divideByUnit(amount2, unit);
    add2(meter, { meter, unit, amount: amount2, perOne, tier: service_tier, variant, threshold, hours });
    if (threshold !== null) thresholds.add(threshold);
  }
  const hasHours = record.rates?.some(({ hours }) => hours !== null) ?? false;
  const inOrder = [...thresholds].sort((a, b) => a - b);
  return {
    rates,
    thresholds: inOrder,
    multipliers,
    hasHours,
    open,
    standard: /* @__PURE__ */ new Map()
  };
}
var plainRate = { tier: null, variant: null, threshold: null, hours: null };
function divideByUnit(amount2, unit) {
  const exact = exactDecimal(amount2);
  return unit.startsWith("1m_") ? perMillion(exact) : exact;
}

// packages/cost/src/vendor-rules.ts
function isListRegion(platform, region) {
  return region === "global" || platform === "bedrock" && /^us(?:-(?:east|west)-\d)?$/.test(region);
}
function isReachedAt(platform) {
  if (platform === "xai") return true;
  return /^(?:openai|azure|google|vertex_ai|anthropic|bedrock)$/.test(platform ?? "") ? false : null;
}

// packages/cost/src/threshold.ts
function thresholdPassed({ thresholds }, platform, items) {
  if (!isAbove(sumItems(items), { units: thresholds[0] - 1, scale: 0 })) return null;
  const tokens = sumItems(items.filter(isPrompt));
  const isReached = isReachedAt(platform);
  const found = thresholds.findLast((threshold) => {
    const edge = { units: isReached === null ? threshold : findEdge(threshold), scale: 0 };
    return isReached ? !isAbove(edge, tokens) : isAbove(tokens, edge);
  });
  return found ?? null;
}
function findEdge(threshold) {
  return threshold % 1e3 === 999 ? threshold + 1 : threshold;
}
function sumItems(items) {
  let sum2 = zero;
  for (const { count: count2 } of items) sum2 = plus(sum2, count2);
  return sum2;
}
function isPrompt({ meter }) {
  return /^(?:(?:cached_)?input|cache_write)_.*tokens$/.test(meter);
}

// packages/cost/src/pick-rate.ts
var alsoBilledAs = [
  [/^(?:reasoning|output_text)_tokens$/, "output_tokens"],
  [/^(cached_)?input_(?:text|image|video|document)_tokens$/, "$1input_tokens"],
  [/^(?:in|out)put_audio_minutes$/, "audio_minutes"],
  [/^pages$/, "ocr_pages"],
  [/^(?:ocr_|(annotated_))pages$/, "input_$1document_pages"]
];
function elseBilledAs(meter) {
  const rule = alsoBilledAs.find(([name]) => name.test(meter));
  return rule && meter.replace(...rule);
}
function isFee({ meter }) {
  return /(?:^|_)(?:searches|requests|code_executions|sessions)$/.test(meter);
}
function isOwnOutput(meter, modality) {
  return (modality === "image" || modality === "audio") && meter === `output_${modality}_tokens`;
}
function pickRate(card, meter, variant, conditions, modality) {
  const { tier, region, isOfRegion: isOfRegion2, threshold } = conditions;
  const isStandard = tier === null && threshold === null && !card.hasHours && (region === null || isOfRegion2);
  if (!isStandard) return pickAnew(card, meter, variant, conditions, modality);
  const key2 = variant === null ? meter : `${meter} ${variant}`;
  const known2 = card.standard.get(key2);
  if (known2 !== void 0) return known2;
  const found = pickAnew(card, meter, variant, conditions, modality);
  if ("rate" in found) card.standard.set(key2, found);
  return found;
}
function pickAnew(card, meter, variant, conditions, modality) {
  let billedAs = meter;
  while (!card.rates.has(billedAs)) {
    const isOwn = isOwnOutput(billedAs, modality);
    const next = isOwn ? "output_tokens" : elseBilledAs(billedAs);
    const isOfKind = !isOwn && classifyMeter(billedAs) !== null && hasKind(card, classifyMeter(billedAs));
    if (next === void 0 || isOfKind) return no("no_rate");
    billedAs = next;
  }
  const found = inTier(card, billedAs, variant, conditions);
  return "rate" in found ? { ...found, billedAs } : found;
}
function classifyMeter(meter) {
  return /_(image|video|document|audio)_tokens$/.exec(meter)?.[1] ?? null;
}
function hasKind(card, kind) {
  for (const meter of card.rates.keys())
    if (classifyMeter(meter) === kind && meter.includes("input")) return true;
  return false;
}
function no(reason, condition = "") {
  return { reason, condition };
}
function inTier(card, meter, variant, conditions) {
  const all = card.rates.get(meter) ?? [];
  const { tier } = conditions;
  const own2 = all.filter((rate) => rate.tier === tier);
  if (own2.length > 0) return inRegion(card, own2, variant, conditions, null);
  if (tier === null) return no("no_rate_for_tier", "standard");
  const standard = all.filter((rate) => rate.tier === null);
  const isFees = standard.length > 0 && standard.every(isFee);
  const multiplier = isFees ? null : card.multipliers.get(tier) ?? null;
  if (multiplier !== null || isFees) return inRegion(card, standard, variant, conditions, multiplier);
  return no("no_rate_for_tier", tier);
}
function inRegion(card, rates, variant, conditions, multiplier) {
  const { region, isOfRegion: isOfRegion2 } = conditions;
  if (region === null || isOfRegion2) return ofVariant(rates, variant, null, conditions, multiplier);
  const regional = ofVariant(rates, variant, region, conditions, multiplier);
  if ("rate" in regional) return regional;
  const general = ofVariant(rates, variant, null, conditions, multiplier);
  if (!("rate" in general) || isFee(general.rate)) return general;
  const uplift = card.multipliers.get(region) ?? (region === "global" ? void 0 : card.multipliers.get("regional"));
  if (uplift === void 0) return no("no_rate_for_region", region);
  const both = multiplier === null ? uplift : formatDecimal(times(exactDecimal(uplift), exactDecimal(multiplier)));
  return { rate: general.rate, multiplier: both };
}
function ofVariant(rates, variant, region, conditions, multiplier) {
  const wanted = [variant, region].filter((part) => part !== null).join("/") || null;
  let kind = rates.filter((rate) => rate.variant === wanted);
  if (kind.length === 0 && wanted === null) kind = whereKindsAgree(rates);
  if (kind.length === 0) return no("no_rate_for_variant", wanted ?? "");
  if (wanted === null && rates.some((rate) => isOtherImage(rate, kind))) return no("no_rate_for_variant");
  return atLength(kind, conditions, multiplier);
}
function whereKindsAgree(rates) {
  const sizes = rates.filter(({ variant }) => /^(?:low|medium|high)$/.test(variant ?? ""));
  const [first] = sizes;
  const agree = sizes.every(({ amount: amount2, threshold, hours }) => {
    return amount2 === first?.amount && threshold === null && hours === null;
  });
  return agree && first ? [first] : [];
}
function isOtherImage({ unit, variant, amount: amount2 }, plain2) {
  return unit === "image" && variant !== null && plain2.every((rate) => rate.amount !== amount2);
}
function atLength(rates, conditions, multiplier) {
  const { threshold } = conditions;
  const passed = rates.filter(
    (rate) => rate.threshold === null || threshold !== null && rate.threshold <= threshold
  );
  const highest = passed.reduce((most, rate) => Math.max(most, rate.threshold ?? -1), -1);
  const best = passed.filter((rate) => (rate.threshold ?? -1) === highest);
  const [first] = best;
  if (first === void 0) return no("no_rate");
  if (threshold !== null && findEdge(highest) < findEdge(threshold) && first.unit === "1m_tokens")
    return no("no_rate_above_threshold", String(threshold));
  return atHour(best, conditions, multiplier);
}
function atHour(rates, { minute }, multiplier) {
  const bands = rates.filter((rate2) => rate2.hours !== null);
  if (bands.length > 0 && minute === null) return no("time_needed", bands[0].hours);
  const rate = bands.find(({ hours }) => isWithin(hours, minute)) ?? rates.find(({ hours }) => hours === null);
  return rate === void 0 ? no("no_rate") : { rate, multiplier };
}
function isWithin(hours, minute) {
  const [, h1 = "", m1 = "", h2 = "", m2 = ""] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(hours) ?? [];
  const [start, end] = [60 * Number(h1) + Number(m1), 60 * Number(h2) + Number(m2)];
  if (minute < 0) return false;
  return start < end ? start <= minute && minute < end : minute >= start || minute < end;
}

// packages/cost/src/line.ts
function lineOf(item, context) {
  const { record, card, conditions, override, version } = context;
  const isSeconds = item.meter.endsWith("_audio_seconds") && !card.rates.has(item.meter);
  const meter = isSeconds ? item.meter.replace(/seconds$/, "minutes") : item.meter;
  const own2 = override?.rates?.[item.meter] ?? override?.rates?.[meter];
  const picked = pickRate(card, meter, item.variant, conditions, record.modality);
  if (own2 === void 0 && "reason" in picked) return refusal(item, picked, context);
  const listed = "rate" in picked ? picked : null;
  const unit = listed?.rate.unit ?? findUnit(meter);
  const listRate = own2 === void 0 ? listed.rate.amount : null;
  const factor2 = own2 === void 0 ? findFactor(override, listed.multiplier) : one;
  const paid = own2 !== void 0 ? exactCount(own2) : factor2 === one ? null : times(exactDecimal(listRate), factor2);
  const rate = paid === null ? listRate : formatDecimal(paid);
  const product2 = times(item.count, paid === null ? listed.rate.perOne : divideByUnit(rate, unit));
  const exact = isSeconds ? over(product2, 60n) : product2;
  return {
    exact,
    line: {
      meter: item.meter,
      variant: item.variant,
      count: formatDecimal(item.count),
      unit,
      rate,
      amount: formatDecimal(exact),
      listRate,
      multiplier: formatDecimal(factor2),
      tier: listed?.rate.tier ?? conditions.tier,
      threshold: listed?.rate.threshold ?? null,
      hours: listed?.rate.hours ?? null,
      billedAs: listed?.billedAs ?? meter,
      resourceId: record.resource_id,
      catalogVersion: version
    }
  };
}
function findFactor(override, ofCard) {
  const own2 = override?.multiplier;
  if (ofCard === null) return own2 ?? one;
  return own2 === void 0 ? exactDecimal(ofCard) : times(own2, exactDecimal(ofCard));
}
function refusal({ meter }, { reason, condition }, { record }) {
  const what = `${meter} of ${record.resource_id}`;
  if (reason === "time_needed")
    return {
      reason,
      message: `${what} has another rate at ${condition} UTC: say when it was used, with "at".`
    };
  const why = meter.startsWith("usage.") ? "unknown_count" : (
    // Where there is no card nobody knows what it would have said.
    record.rates === null ? "no_rate_card" : reason
  );
  return {
    reason: why,
    message: `The catalog has ${why.replaceAll("_", " ")}${condition && ` "${condition}"`}: ${what}. ${why === "unknown_count" ? "Update @ratecard/cost" : "Load a catalog that has it"}, or give it a rate in "overrides".`
  };
}

// packages/cost/src/moment.ts
init_book();
init_errors();
function toMoment(at) {
  if (at === void 0 || at === null) return null;
  const ms = at instanceof Date ? at.getTime() : typeof at === "number" ? (
    // Vendors write seconds; a clock of JavaScript has a thousand times as many.
    at < 1e11 ? at * 1e3 : at
  ) : isInstant.test(at) ? Date.parse(at) : NaN;
  if (!Number.isFinite(ms) || Math.abs(ms) > 864e13)
    throw new UsageError('"at" is no time: give RFC 3339, a Date, or seconds since 1970.');
  return ms;
}
var isInstant = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;
function findMinute(atMs, isOfWeekdays) {
  const minutes = Math.floor(atMs / 6e4);
  return isOfWeekdays && (minutes / 1440 + 5) % 7 < 2 ? -1 : minutes % 1440;
}
function cardAt(record, atMs, catalog) {
  if (atMs === null) return { card: cardOf(record), isAssumed: false };
  const before = record.past?.find(({ ended_on }) => atMs < Date.parse(ended_on));
  if (before !== void 0) return { card: pastCard(record, before), isAssumed: false };
  if (atMs < bookOf(catalog).momentMs) {
    const { ms, isChange } = sinceOf(record);
    if (atMs < ms)
      return isChange ? new Date(ms).toISOString().slice(0, 10) : { card: cardOf(record), isAssumed: true };
  }
  const { announced } = record;
  const begun = (announced ?? []).filter(({ starts_on }) => Date.parse(starts_on) <= atMs);
  return { card: begun.length === 0 ? cardOf(record) : announcedCard(record, begun), isAssumed: false };
}
var starts = /* @__PURE__ */ new WeakMap();
function sinceOf(record) {
  let since = starts.get(record);
  if (since === void 0) starts.set(record, since = findSince(record));
  return since;
}
function findSince(record) {
  const { effective_at, updated_at, claims = [] } = record;
  if (effective_at !== null && effective_at !== updated_at)
    return { ms: Date.parse(effective_at), isChange: true };
  let ms = Date.parse(updated_at);
  if (Number.isNaN(ms)) ms = Infinity;
  let [agreeing, moved] = [0, 0];
  for (const claim of claims) {
    const { since, first_seen } = claim;
    if (!since || columns.some(([field]) => (claim[field] ?? null) !== record[field])) continue;
    const stated = Math.max(...Object.values(since).map((instant) => Date.parse(instant)));
    if (!Number.isFinite(stated)) continue;
    agreeing += 1;
    if (first_seen !== void 0 && stated > Date.parse(first_seen)) moved += 1;
    ms = Math.min(ms, stated);
  }
  return { ms, isChange: agreeing > 0 && moved === agreeing };
}

// packages/cost/src/overrides.ts
function findOverride(overrides, record) {
  const layers = [
    own(overrides.models, record.resource_id),
    own(overrides.models, record.product_id),
    own(overrides.platforms, record.platform)
  ].filter((layer) => layer !== void 0);
  const multiplier = layers.find((layer) => layer.multiplier !== void 0)?.multiplier ?? overrides.multiplier;
  const rates = Object.assign({}, ...layers.map((layer) => layer.rates).reverse());
  return { multiplier: multiplier === void 0 ? void 0 : factor(multiplier), rates };
}
function factor(multiplier) {
  try {
    return exactCount(multiplier);
  } catch (error) {
    throw new TypeError(
      `overrides: a multiplier ${error.message.replace("is no count: it is", "is")}.`
    );
  }
}
function own(layers, key2) {
  return layers !== void 0 && key2 !== null && Object.hasOwn(layers, key2) ? layers[key2] : void 0;
}

// packages/cost/src/resolve.ts
init_book();

// packages/cost/src/names.ts
var services = [
  ["azure", /^(?:azure[_-]openai|az(?:ure)?\.ai\.openai)$/],
  ["azure_ai", /^(?:azure[_-]ai|az(?:ure)?\.ai\.inference)$/],
  // Amazon's newer endpoint. Lists write ids of the older one without a prefix, so only what they write with it is its own.
  ["bedrock_mantle", /^bedrock_mantle$/]
];
function findService(name) {
  const lower = name.toLowerCase();
  return services.find(([, names]) => names.test(lower))?.[0];
}
var serviceNames = new Set(services.map(([service]) => service));
var platforms = [
  ["bedrock", /^(?:amazon-|aws\.)?bedrock(?:_converse|_mantle)?$/],
  ["azure", /^(?:azure[_-](?:ai|openai)|az(?:ure)?\.ai\.(?:openai|inference))$/],
  ["vertex_ai", /^(?:google[.-]|gcp\.)?vertex(?:[_-]ai(?:_beta)?)?$/],
  ["google", /^(?:gcp\.)?gemini$|^google\.generative-ai$/],
  ["xai", /^x[_-]ai$/],
  ["mistral", /^mistral[_-]?ai$/],
  ["together", /^together[_-]?ai$/],
  ["fireworks", /^fireworks[_-]ai$/],
  ["moonshot", /^moonshotai$/],
  ["cohere", /^cohere_chat$/]
];
function findPlatform(name) {
  const lower = name.toLowerCase();
  return platforms.find(([, names]) => names.test(lower))?.[0] ?? lower;
}
var ornaments = [
  // Claude Code marks the long context so; it is no part of the name.
  { pattern: /^(.+)\[1m\]$/i, read: ([, id = ""]) => ({ id }) },
  // Gemini's API.
  { pattern: /^models\/([^/]+)$/, read: ([, id = ""]) => ({ id }) },
  // Vertex AI's resource names. The location is what is billed.
  {
    pattern: /^(?:projects\/[^/]+\/locations\/([^/]+)\/)?publishers\/[^/]+\/models\/([^/:]+)(?::\w+)?$/,
    read: ([, region, id = ""]) => ({ platform: "vertex_ai", id, region: region ?? null })
  },
  // Amazon's resource names: models and the profiles that AWS makes. A profile of one's own hides what is behind it. A model
  // is billed in its region, in the governments' and the Chinese cloud as well; a profile by where it may lead.
  {
    pattern: /^arn:aws(-[\w-]+)?:bedrock:([\w-]*):\d*:(?:foundation-model|(inference-profile))\/(.+)$/,
    read: ([, cloud, region, profile, id = ""]) => ({
      platform: "bedrock",
      id,
      region: profile !== void 0 && cloud === void 0 ? null : region || (cloud?.slice(1) ?? null)
    })
  },
  // Profiles of a geography: `eu.amazon.nova-lite-v1:0`. The government's is another cloud.
  {
    pattern: /^(us|eu|apac|au|jp|ca|in|global)\.([a-z]\w*\.\S+)$/,
    read: ([, region = null, id = ""]) => ({ platform: "bedrock", id, region, isProfile: true })
  },
  // LiteLLM's routes of Bedrock, and its regions.
  {
    pattern: /^bedrock\/(?:(?:converse|invoke)\/)?(?:([a-z]{2}(?:-gov)?-[a-z]+-\d)\/)?(.+)$/,
    read: ([, region, id = ""]) => ({ platform: "bedrock", id, region: region ?? null })
  },
  // LiteLLM's deployments of Azure: a data zone, or the whole world.
  {
    pattern: /^azure\/(?:(us|eu)|global(?:-standard)?)\/(.+)$/,
    read: ([, region, id = ""]) => ({ platform: "azure", id, region: region ?? null })
  },
  // OpenAI's fine-tuned models: the model, then the owner's own names. They cost other than the model.
  { pattern: /^(ft:[^:]+):.*$/, read: ([, id = ""]) => ({ id }) },
  {
    pattern: /^accounts\/fireworks\/(?:models|routers)\/(.+)$/,
    read: ([, id = ""]) => ({ platform: "fireworks", id })
  },
  // Vertex AI's name of the version that it serves.
  { pattern: /^(.+)@default$/, read: ([, id = ""]) => ({ id }) }
];
function listReadings(name, isPlatform) {
  const readings = [{ platform: null, id: name, region: null }];
  const seen = /* @__PURE__ */ new Set([`|${name}`]);
  for (let at = 0; at < readings.length && readings.length < readingsMax; at += 1) {
    for (const next of withoutOne(readings[at], isPlatform)) {
      const mark = `${next.platform ?? ""}|${next.id}`;
      if (next.id === "" || seen.has(mark)) continue;
      seen.add(mark);
      readings.push(next);
    }
  }
  return readings;
}
var readingsMax = 12;
function withoutOne(reading, isPlatform) {
  const found = [];
  for (const { pattern, read } of ornaments) {
    const match = pattern.exec(reading.id);
    if (match) found.push({ ...reading, ...read(match) });
  }
  const [, prefix2 = "", rest = ""] = /^([^/]+)\/(.+)$/s.exec(reading.id) ?? [];
  const platform = findPlatform(prefix2);
  const fits = reading.platform === null || reading.platform === platform;
  if (rest !== "" && fits && isPlatform(platform))
    found.push({ ...reading, platform, id: rest, service: findService(prefix2) ?? reading.service });
  return found;
}
var dates = [
  /-20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  /[-@]20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/
];
function withoutDate(id) {
  for (const pattern of dates) if (pattern.test(id)) return id.replace(pattern, "") || null;
  return null;
}
function sizesIn(name) {
  return (name.toLowerCase().match(/(?<![a-z0-9.])\d+(?:\.\d+|x\d+)?b(?![a-z0-9])/g) ?? []).join();
}
function isContradicted(alias, id, region) {
  const [stated, own2] = [sizesIn(alias), sizesIn(id)];
  const isGov = /(?:^|[:/])us-gov[.-]/.test(alias) && region?.startsWith("us-gov") !== true;
  return isGov || stated !== "" && own2 !== "" && stated !== own2;
}
var state = /[-@](?:20)?(2\d)-?((?:0[1-9]|1[0-2])(?:-?(?:0[1-9]|[12]\d|3[01]))?)$/;
function withoutState(name) {
  return name.replace(state, "");
}
function findState(name) {
  const [, year = "", rest = ""] = state.exec(name) ?? [];
  return `${year}${rest.replace("-", "")}`;
}

// packages/cost/src/candidates.ts
var candidatesMax = 5;
function candidatesFor(name, platform, { snapshot }) {
  const words2 = splitWords(name);
  if (words2.size === 0) return [];
  const scored = [];
  for (const record of snapshot.resources) {
    const own2 = splitWords(record.resource_id.slice(record.resource_id.indexOf(":") + 1));
    let shared = 0;
    for (const word of words2) if (own2.has(word)) shared += 1;
    if (2 * shared <= words2.size) continue;
    const score = shared - (own2.size - shared) / 10 - (platform !== null && record.platform !== platform ? 1 : 0);
    scored.push({ id: record.resource_id, score });
  }
  return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, candidatesMax).map(({ id }) => id);
}
function splitWords(text2) {
  return new Set(text2.toLowerCase().match(/[a-z]+|\d+/g) ?? []);
}

// packages/cost/src/name-index.ts
var NameIndex = class {
  /** Platforms of the catalog. */
  platforms = /* @__PURE__ */ new Set();
  /** By the platform's own id of the model. */
  #ids = /* @__PURE__ */ new Map();
  #records;
  #aliases;
  #products;
  #anyCase;
  /** The day of the catalog, as `YYYYMMDD`. */
  day;
  constructor({ snapshot: { resources: records, as_of, generated_at } }) {
    this.#records = records;
    this.day = (as_of ?? generated_at).slice(0, 10).replace(/\D/g, "");
    for (const record of records) {
      if (record.platform !== null) this.platforms.add(record.platform);
      add(this.#ids, findId(record), record);
    }
  }
  /** Records whose platform uses this id. */
  ids(reading) {
    return this.#withNewer(
      reading,
      on(reading.platform, this.#ids.get(reading.id)).filter((record) => isOfService(record, reading))
    );
  }
  /** Records that a source lists under this name. */
  aliases(reading) {
    this.#aliases ??= aliasNames(this.#records);
    const { platform, id } = reading;
    const found = on(platform, this.#aliases.get(id)).filter((record) => isOfService(record, reading));
    return this.#withNewer(reading, found);
  }
  /**
   * `…-latest` moves with the maker: where there is a newer state that costs something else, the list may have stood still,
   * so that state may be meant as well.
   */
  #withNewer({ id }, found) {
    return id.endsWith("-latest") ? [...found, ...found.flatMap((record) => this.#newerThan(record))] : found;
  }
  /** Of a record that is itself called so nobody knows which state it is, but for the day of its price. */
  #newerThan(record) {
    const [, base] = /^(.+)-latest$/.exec(findId(record)) ?? [];
    const names = [record.resource_id, ...(record.aliases ?? []).map(({ resource_id }) => resource_id)];
    const day = record.effective_at?.slice(2, 10).replaceAll("-", "") ?? "";
    const newest = [...names.map(findState), day].sort().at(-1);
    const states = this.#records.filter(
      (other) => other.platform === record.platform && other.region === record.region && withoutState(findId(other)) === base
    );
    return [...states, ...newest === "" ? [] : this.#siblings(record)].filter(
      (other) => findState(other.resource_id) > newest && !isSamePrice(record, other)
    );
  }
  /** The name read as a platform and its id. */
  prefixed(name) {
    const [, platform = "", id = ""] = /^([^/]+)\/(.+)$/s.exec(name) ?? [];
    return this.platforms.has(platform) ? [{ platform, id, region: null }] : [];
  }
  /**
   * Records of the product that the name means. A dated name means the product only where the records that carry it cost
   * what the product costs beside them.
   */
  products({ platform, id }) {
    const { byName, records, named: named2 } = this.#products ??= productNames(this.#records);
    const name = id.toLowerCase();
    const found = [...byName.get(name) ?? []].flatMap((product2) => on(platform, records.get(product2)));
    const isDated = withoutDate(name) !== null;
    const carriers = named2.get(name) ?? [];
    const isTold = carriers.every((one2) => this.#siblings(one2).every((other) => isSamePrice(one2, other)));
    const isBare = !isDated || carriers.some((one2) => this.#siblings(one2).length > 1);
    if (!isTold || !isBare) return [];
    const undated = found.filter((record) => withoutDate(findId(record)) === null);
    return undated.length > 0 && found.every((record) => isSamePrice(record, undated[0])) ? undated.slice(0, 1) : found;
  }
  /** Records with the same letters in any case: none where they mean several. */
  anyCase(reading) {
    const { platform, id } = reading;
    if (this.#anyCase === void 0) {
      this.#anyCase = /* @__PURE__ */ new Map();
      for (const record of this.#records) add(this.#anyCase, findId(record).toLowerCase(), record);
    }
    return on(platform, this.#anyCase.get(id.toLowerCase())).filter((record) => isOfService(record, reading));
  }
  /** Records of the same platform and region that are dated snapshots of this one. */
  snapshotsOf(record) {
    const id = findId(record);
    return this.#siblings(record).filter((other) => withoutDate(findId(other)) === id);
  }
  /** The records of the same product, platform and region. */
  #siblings({ product_id, platform, region }) {
    const { records } = this.#products ??= productNames(this.#records);
    const all = product_id === null ? [] : records.get(product_id) ?? [];
    return all.filter((other) => other.platform === platform && other.region === region);
  }
};
function buildIndex(book) {
  return new NameIndex(book);
}
function findId({ resource_id, platform, region }) {
  const head = platform === null ? "" : region === null ? `${platform}:` : `${platform}:${region}:`;
  return resource_id.startsWith(head) ? resource_id.slice(head.length) : resource_id;
}
function aliasNames(records) {
  const names = /* @__PURE__ */ new Map();
  for (const record of records) {
    for (const { key: key2, resource_id } of record.aliases ?? []) {
      const isWrong = (name) => isContradicted(name, findId(record), record.region);
      if (!isWrong(key2)) add(names, key2, record);
      if (resource_id === record.resource_id || isWrong(resource_id)) continue;
      add(names, resource_id, record);
      add(names, findId({ ...record, resource_id }), record);
    }
  }
  return names;
}
function productNames(all) {
  const byName = /* @__PURE__ */ new Map();
  const records = /* @__PURE__ */ new Map();
  const named2 = /* @__PURE__ */ new Map();
  for (const record of all) {
    const { product_id, aliases = [] } = record;
    if (product_id === null) continue;
    add(records, product_id, record);
    const models = aliases.map(({ model_name }) => model_name);
    for (const model of models) add(named2, model, record);
    for (const name of /* @__PURE__ */ new Set([product_id, product_id.slice(product_id.indexOf("/") + 1), ...models])) {
      const products = byName.get(name);
      if (products === void 0) byName.set(name, /* @__PURE__ */ new Set([product_id]));
      else products.add(product_id);
    }
  }
  return { byName, records, named: named2 };
}
function add(names, name, record) {
  const known2 = names.get(name);
  if (known2 === void 0) names.set(name, [record]);
  else if (!known2.includes(record)) known2.push(record);
}
function on(platform, records = []) {
  return platform === null ? [...records] : records.filter((record) => record.platform === platform);
}
function isOfService({ aliases = [] }, { service, id }) {
  if (service === void 0) return true;
  const listed = aliases.flatMap(({ key: key2 }) => {
    const [, other = "", rest = ""] = /^([^/]+)\/(.+)$/s.exec(key2) ?? [];
    return serviceNames.has(other) && rest.toLowerCase() === id.toLowerCase() ? [other] : [];
  });
  return listed.includes(service) || listed.length === 0 && service !== "bedrock_mantle";
}
function isSamePrice(a, b) {
  if (a === b) return true;
  if (a.currency !== b.currency || columns.some(([field]) => a[field] !== b[field])) return false;
  const rates = new Map((a.rates ?? []).map((rate) => [buildKey(rate), rate.amount]));
  return (b.rates ?? []).every((rate) => (rates.get(buildKey(rate)) ?? rate.amount) === rate.amount);
}
function buildKey({ meter, unit, service_tier, variant, threshold, hours }) {
  return JSON.stringify([meter, unit, service_tier, variant, threshold, hours]);
}

// packages/cost/src/resolve.ts
function resolve(name, { catalog, platform, region, deployments }) {
  const book = bookOf(catalog);
  if (deployments !== void 0 && Object.hasOwn(deployments, name)) {
    const target = String(deployments[name]);
    const found = remembered(book, target, platform, region);
    return found.isResolved ? { ...found, rule: "deployment", steps: [name, ...found.steps] } : found;
  }
  return remembered(book, name, platform, region);
}
var memory = /* @__PURE__ */ Symbol("names");
var rememberedMax = 5e3;
var nameCharsMax = 512;
function remembered(book, name, platform = "", region = "") {
  const known2 = derivedOf(book, memory, () => /* @__PURE__ */ new Map());
  const where = region === "" ? platform : `${platform} ${region}`;
  let names = known2.get(where);
  let resolution = names?.get(name);
  if (resolution !== void 0) return resolution;
  resolution = Object.freeze(find(book, name, platform, region));
  if (names === void 0) {
    if (known2.size >= rememberedMax / 50) known2.clear();
    known2.set(where, names = /* @__PURE__ */ new Map());
  }
  if (names.size >= rememberedMax) names.clear();
  names.set(name, resolution);
  return resolution;
}
function find(book, name, platformGiven, regionGiven) {
  if (typeof name !== "string" || name === "") return miss("No name is given: name the model.", []);
  if (name.length > nameCharsMax) return miss(`A name has at most ${nameCharsMax} characters.`, []);
  const platform = platformGiven === "" ? null : findPlatform(platformGiven);
  const index = derivedOf(book, indexKey, buildIndex);
  const exact = book.byId.get(name);
  if (exact !== void 0 && (platform === null || exact.platform === platform))
    return hit(exact, "resource_id", [name], null);
  if (platform !== null && !index.platforms.has(platform))
    return miss(`The catalog knows no platform "${platform}".`, []);
  const region = regionGiven === "" ? null : regionGiven.toLowerCase();
  const readings = listReadings(name, (one2) => index.platforms.has(one2)).filter(
    (reading) => platform === null || reading.platform === null || reading.platform === platform
  );
  const asked = readings.map((reading) => ({
    ...reading,
    platform: reading.platform ?? platform,
    region: region ?? reading.region,
    service: reading.service ?? findService(platformGiven)
  }));
  for (const rule of ways) {
    const found = rule(index, asked, name);
    if (found.length > 0) {
      const one2 = chosen(found, region);
      const isOpen = platform === null && one2.isResolved && name.includes("/") && asked.every((reading) => reading.platform !== one2.record.platform);
      return isOpen ? { ...one2, isPlatformAssumed: true } : one2;
    }
  }
  return miss(
    `The catalog knows no model "${name}"${platform === null ? "" : ` on ${platform}`}.`,
    candidatesFor(name, platform, book)
  );
}
var indexKey = /* @__PURE__ */ Symbol("index");
var ways = [
  // As it is: the platform's own id and a published alias are equally sure, and may disagree.
  (index, [plain2], name) => [
    ...matches(index.ids(plain2), "platform_id", name),
    ...matches(index.aliases(plain2), "alias", name),
    ...plain2.platform === null ? bySpelling(index, index.prefixed(name), name) : []
  ],
  (index, asked, name) => bySpelling(
    index,
    asked.slice(1).filter(({ isProfile }) => !isProfile),
    name
  ),
  (index, asked, name) => bySpelling(
    index,
    asked.filter(({ isProfile }) => isProfile),
    name
  ),
  (index, asked, name) => asked.flatMap((reading) => matches(index.products(reading), "product", name, reading)),
  (index, asked, name) => asked.flatMap((reading) => byDate(index, reading, name)),
  // Last: the same letters in another case, where they mean one record.
  (index, asked, name) => asked.flatMap((reading) => matches(index.anyCase(reading), "spelling", name, reading))
];
function matches(records, rule, name, reading) {
  return records.map((record) => {
    const steps = [name, reading?.id, record.resource_id].filter((step) => step !== void 0);
    return { record, rule, steps: [...new Set(steps)], region: reading?.region ?? null };
  });
}
function bySpelling(index, readings, name) {
  return readings.flatMap(
    (reading) => matches([...index.ids(reading), ...index.aliases(reading)], "spelling", name, reading)
  );
}
function byDate(index, reading, name) {
  const bare = withoutDate(reading.id);
  if (bare === null || reading.id.slice(bare.length).replace(/\D/g, "") > index.day) return [];
  return index.ids({ ...reading, id: bare }).flatMap((record) => {
    const others = index.snapshotsOf(record);
    return others.every((other) => isSamePrice(record, other)) ? matches([record], "date", name, { ...reading, id: bare }) : [];
  });
}
function chosen(found, region) {
  const byId2 = /* @__PURE__ */ new Map();
  for (const match of found)
    if (!byId2.has(match.record.resource_id)) byId2.set(match.record.resource_id, match);
  const all = [...byId2.values()];
  const own2 = all.filter(({ record }) => record.platform === record.vendor);
  if (region === null && own2.length > 0 && own2.length < all.length)
    return { ...chosen(own2, null), isPlatformAssumed: true };
  const wanted = all.filter(({ record, region: stated }) => isOfRegion(record, region ?? stated));
  const general = all.filter(({ record }) => record.region === null);
  const left = wanted.length > 0 ? wanted : general.length > 0 ? general : all;
  const [first, ...others] = left.sort(
    (a, b) => (b.record.rates?.length ?? 0) - (a.record.rates?.length ?? 0)
  );
  const isOne2 = others.every(
    ({ record }) => record.platform === first.record.platform && isSamePrice(first.record, record)
  );
  if (isOne2) return hit(first.record, first.rule, first.steps, first.region);
  const ids = left.map(({ record }) => ({ id: record.resource_id, rank: record.platform === record.vendor ? 0 : 1 })).sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
  const isPlatformOpen = new Set(left.map(({ record }) => record.platform)).size > 1;
  return {
    isResolved: false,
    reason: "ambiguous",
    candidates: ids.slice(0, candidatesMax2),
    message: `The name means ${ids.length} records with different prices. Name ${isPlatformOpen ? "the platform that is paid" : "the record, or its region"}.`
  };
}
var candidatesMax2 = 20;
function hit(record, rule, steps, region) {
  return { isResolved: true, record, rule, steps, region };
}
function isOfRegion({ region: own2, platform }, region) {
  if (own2 === null) return region === null || isListRegion(platform, region);
  const lower = own2.toLowerCase();
  if (lower === "regional" && region !== null)
    return /^(?:us|eu|apac|au|jp|ca|in|(?!cn)[a-z]{2}-(?!gov)[a-z]+-\d)$/.test(region);
  return lower === region;
}
function miss(message, candidates) {
  return { isResolved: false, reason: "unknown", candidates, message };
}

// packages/cost/src/cost-of.ts
function costOf(usage, options) {
  const { catalog, overrides } = options;
  const book = bookOf(catalog);
  const items = itemsOf(usage);
  const requests = countRequests(usage);
  const atMs = toMoment(options.at ?? usage.at);
  const name = options.model ?? usage.model;
  const platform = options.platform ?? usage.platform;
  const given = normalRegion(options.region ?? usage.region);
  const { deployments } = options;
  const resolution = name === void 0 ? null : resolve(name, { catalog, platform, region: given ?? void 0, deployments });
  const record = resolution?.isResolved ? resolution.record : null;
  const region = given ?? (resolution?.isResolved ? resolution.region : null);
  const lines = [];
  const unpriced = [];
  let sum2 = zero;
  const found = findCard(resolution, atMs, catalog);
  const card = "reason" in found ? null : found.card;
  const context = record === null || card === null ? null : {
    record,
    card,
    conditions: findConditions(
      record,
      card,
      items,
      requests,
      normalTier(options.tier ?? usage.tier),
      region,
      atMs
    ),
    override: overrides === void 0 ? null : findOverride(overrides, record),
    version: book.snapshot.catalog_version
  };
  const billed = card === null ? items : asBilled(items, card, requests);
  for (const item of billed) {
    const priced2 = context === null ? found : lineOf(item, context);
    if ("reason" in priced2)
      unpriced.push({
        meter: item.meter,
        variant: item.variant,
        count: formatDecimal(item.count),
        reason: priced2.reason,
        message: priced2.message
      });
    else {
      lines.push(priced2.line);
      sum2 = plus(sum2, priced2.exact);
    }
  }
  const cost = {
    lines,
    currency: record === null ? null : record.currency,
    resourceId: record === null ? null : record.resource_id,
    productId: record === null ? null : record.product_id,
    rule: resolution?.isResolved ? resolution.rule : null,
    candidates: resolution === null || resolution.isResolved ? [] : resolution.candidates,
    source: "catalog",
    reported: readReported(usage),
    catalog: catalog.stamp(),
    checkedOn: record?.checked_on ?? null,
    doubts: resolution?.isResolved ? listDoubts(resolution, found, billed, requests, atMs, book.momentMs) : nothing,
    isWhole: true,
    total: null,
    unpriced
  };
  if (options.preferReported && cost.reported !== null) {
    cost.source = "reported";
    cost.total = cost.reported.amount;
    cost.currency = cost.reported.currency;
    cost.unpriced = [];
  } else if (unpriced.length === 0 && cost.currency !== null) cost.total = formatDecimal(sum2);
  else {
    cost.isWhole = false;
    cost.atLeast = formatDecimal(sum2);
  }
  return cost;
}
function findCard(resolution, atMs, catalog) {
  if (resolution === null) return { reason: "model_missing", message: 'No model is named: give "model".' };
  if (!resolution.isResolved) return { reason: `model_${resolution.reason}`, message: resolution.message };
  const { record } = resolution;
  if (record.currency === null)
    return { reason: "no_rate", message: "The catalog does not say in which currency it is paid." };
  const then = cardAt(record, atMs, catalog);
  if (typeof then !== "string") return then;
  return {
    reason: "before_history",
    message: `The price of ${record.resource_id} changed on ${then}. Load a snapshot of before: ratecard prices export --as-of DAY.`
  };
}
function findConditions(record, card, items, requests, tier, region, atMs) {
  const isLong = requests === 1 && card.thresholds.length > 0;
  return {
    tier,
    region,
    isOfRegion: isOfRegion(record, region),
    threshold: isLong ? thresholdPassed(card, record.platform, items) : null,
    minute: atMs === null ? null : findMinute(atMs, card.rates.has("week_hours"))
  };
}
function normalTier(tier) {
  return named(tier, /^(?:standard|default|on_demand)$/);
}
function normalRegion(region) {
  return named(region, /^(?:default|not_available)$/);
}
function named(name, none) {
  if (!name) return null;
  const lower = name.toLowerCase();
  return none.test(lower) ? null : lower;
}
function readReported({ reported }) {
  if (!reported) return null;
  return { amount: formatDecimal(exactDecimal(reported.amount)), currency: reported.currency };
}
var nothing = [];
function listDoubts({ record, isPlatformAssumed }, found, items, requests, atMs, momentMs) {
  const doubts = isPlatformAssumed ? ["platform_assumed"] : [];
  if ("card" in found) {
    const { open, thresholds, rates } = found.card;
    if (requests > 1 && (thresholds.length > 0 || rates.has(leastSeconds))) doubts.push("sum_of_requests");
    if (found.isAssumed) doubts.push("price_assumed");
    const ended = record.ended_on ?? record.retires_on;
    if (ended != null && Date.parse(ended) <= (atMs ?? momentMs)) doubts.push("price_ended");
    if (items.some(({ meter }) => open.has(meter))) doubts.push("vendor_rule");
  }
  if (record.rates === null) doubts.push("no_rate_cards");
  if (record.is_confirmed === false) doubts.push("not_confirmed");
  if (record.gone_since != null) doubts.push("gone");
  const checkedMs = record.checked_on == null ? momentMs : Date.parse(record.checked_on);
  if (atMs !== null && atMs > checkedMs + freshMs) doubts.push("catalog_older_than_use");
  return doubts;
}
var freshMs = 90 * 864e5;

// packages/cost/src/index.ts
init_errors();

// packages/mcp/src/tool-server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

// packages/mcp/src/answer.ts
import { z } from "zod";

// packages/sdk/src/errors.ts
var brand2 = /* @__PURE__ */ Symbol.for("ratecard.error");
var RatecardError = class extends Error {
  constructor(message, options = {}) {
    const { cause, body, ...fields } = options;
    super(message, cause === void 0 ? void 0 : { cause });
    const known2 = Object.entries(fields).filter(([, value]) => value !== void 0);
    Object.assign(this, { attempts: 0, retryable: false }, Object.fromEntries(known2));
    if (body !== void 0) Object.defineProperty(this, "body", { value: body });
    Object.defineProperty(this, brand2, { value: true });
  }
  /** The name of the class, whatever a bundler renames it to. */
  get name() {
    return "RatecardError";
  }
  /** All fields but stack and cause. */
  toJSON() {
    const { name, message, body } = this;
    const fields = { name, message };
    return Object.assign(fields, this, body === void 0 ? {} : { body });
  }
  static [Symbol.hasInstance](value) {
    const name = ownName(this.prototype);
    if (name === void 0) return this.prototype.isPrototypeOf(value);
    let at = Object(value);
    if (!at?.[brand2]) return false;
    for (; at; at = Object.getPrototypeOf(at)) if (ownName(at) === name) return true;
    return false;
  }
};
function ownName(prototype) {
  return Object.hasOwn(prototype, "name") ? prototype.name : void 0;
}

// packages/mcp/src/errors.ts
var ToolError = class extends Error {
};
function toSentence(error, reportTo) {
  const isForeseen = [ToolError, RatecardError, UsageError, CatalogError].some(
    (kind) => error instanceof kind
  );
  if (isForeseen) return error.message;
  reportTo(error);
  return "Something went wrong inside this program. Its log says more.";
}

// packages/mcp/src/answer.ts
var charsMax2 = 6e4;
function register(server, { secret, report }, { name, title, description, input: input5, output: output5, isOpenWorld = false, run }) {
  const handler = async (given) => {
    try {
      const { structured, text: text2 } = await run(given);
      const result = { content: [{ type: "text", text: text2 }], structuredContent: structured };
      if (JSON.stringify(result).length > charsMax2)
        throw new ToolError(
          "The answer is too long for one call. Ask for less: a smaller limit, or more filters."
        );
      return concealed(result, secret);
    } catch (error) {
      return concealed(
        { isError: true, content: [{ type: "text", text: toSentence(error, report) }] },
        secret
      );
    }
  };
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input5,
      outputSchema: outlineOf(output5),
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: isOpenWorld
      }
    },
    handler
  );
}
function outlineOf(output5) {
  const outlined = (field) => {
    const { description } = field;
    const outline = field instanceof z.ZodArray ? z.array(z.unknown()) : field instanceof z.ZodObject ? z.looseObject({}) : field instanceof z.ZodNullable && field.unwrap() instanceof z.ZodObject ? z.looseObject({}).nullable() : field;
    return description === void 0 ? outline : outline.describe(description);
  };
  return z.looseObject(
    Object.fromEntries(
      Object.entries(output5.shape).map(([name, field]) => [name, outlined(field)])
    )
  );
}
function concealed(result, secret) {
  const json = JSON.stringify(result);
  const written = secret === null ? "" : JSON.stringify(secret).slice(1, -1);
  if (written === "" || !json.includes(written)) return result;
  return JSON.parse(json.replaceAll(written, "[the key]"));
}
function plain(text2) {
  return text2.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
function short(text2, charsMax3) {
  const line2 = plain(text2);
  return line2.length <= charsMax3 ? line2 : `${line2.slice(0, charsMax3 - 1)}\u2026`;
}
var stampSchema = z.object({
  origin: z.string().describe("shipped: not live; url, file: a snapshot; api: standard rates alone"),
  version: z.string(),
  generated_at: z.string(),
  as_of: z.string().nullable(),
  age_hours: z.number(),
  note: z.string().nullable().describe("why the prices are not live, or not fresh; tell it to the user")
}).describe("which state of which list of prices this rests on, and how old it is");
function stampText({ origin, version, age_hours: hours, note }) {
  const age = hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
  return `Prices: catalog ${plain(version)} (${origin}), ${age} old.${note === null ? "" : ` ${plain(note)}`}`;
}
function words(max) {
  return z.string().trim().min(1).max(max);
}

// packages/mcp/src/resources.ts
import { ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

// packages/mcp/src/prices.ts
function buildStamp({ catalog, note }) {
  const { version, generatedAt, asOf, origin, ageMs } = catalog.stamp();
  return {
    origin,
    version,
    generated_at: generatedAt,
    as_of: asOf,
    age_hours: Math.round(ageMs / 36e3) / 100,
    note
  };
}

// packages/mcp/src/record.ts
import { z as z2 } from "zod";
var units = {
  input_per_mtok: "input per 1M tokens",
  output_per_mtok: "output per 1M tokens",
  cached_input_per_mtok: "cached input per 1M tokens",
  image_per_unit: "per image",
  audio_per_min: "per minute of audio",
  video_per_sec: "per second of video"
};
var amountNames = Object.keys(units);
var amount = z2.string().optional();
var amountsSchema = z2.object({
  input_per_mtok: amount,
  output_per_mtok: amount,
  cached_input_per_mtok: amount,
  image_per_unit: amount,
  audio_per_min: amount,
  video_per_sec: amount
}).describe("exact decimals as text; one that is left out is unknown, and not 0");
var summarySchema = z2.object({
  resource_id: z2.string().describe("identifies the record"),
  product_id: z2.string().nullable(),
  vendor: z2.string(),
  platform: z2.string().nullable().describe("who is paid"),
  modality: z2.string().nullable(),
  region: z2.string().nullable(),
  currency: z2.string().nullable(),
  amounts: amountsSchema,
  rate_count: z2.number().int().nullable().describe("rates on its card, for get_price; null: there is no card"),
  effective_at: z2.string().nullable(),
  updated_at: z2.string(),
  is_confirmed: z2.boolean().nullable().describe("two or more independent sources state it, and no more deny it"),
  gone_since: z2.string().nullable(),
  retires_on: z2.string().nullable()
});
function toAmounts(stated) {
  return Object.fromEntries(
    amountNames.flatMap((name) => stated[name] === null ? [] : [[name, stated[name]]])
  );
}
function toSummary(record) {
  return {
    resource_id: record.resource_id,
    product_id: record.product_id,
    vendor: record.vendor,
    platform: record.platform,
    modality: record.modality,
    region: record.region,
    currency: record.currency,
    amounts: toAmounts(record),
    rate_count: record.rates?.length ?? null,
    effective_at: record.effective_at,
    updated_at: record.updated_at,
    is_confirmed: record.is_confirmed ?? null,
    gone_since: record.gone_since ?? null,
    retires_on: record.retires_on ?? null
  };
}
function summaryText({ resource_id, currency, amounts, ...rest }) {
  const stated = amountNames.flatMap(
    (name) => amounts[name] === void 0 ? [] : [`${amounts[name]} ${units[name]}`]
  );
  const prices = stated.length === 0 ? "no headline price" : `${stated.join(", ")} (${currency ?? "unknown currency"})`;
  const doubts = [
    rest.is_confirmed === false && "not confirmed",
    rest.gone_since !== null && `no longer listed since ${rest.gone_since.slice(0, 10)}`,
    rest.retires_on !== null && `retires on ${rest.retires_on}`
  ].filter((doubt) => doubt !== false);
  return `${short(resource_id, 200)}: ${prices}${doubts.length === 0 ? "" : ` [${doubts.join("; ")}]`}`;
}
var ratesMax = 60;
var announcedMax = 10;
var aliasesMax = 20;
var recordSchema = summarySchema.extend({
  source_url: z2.string().nullable(),
  rates: z2.array(
    z2.object({
      meter: z2.string(),
      unit: z2.string(),
      amount: z2.string(),
      service_tier: z2.string().nullable(),
      variant: z2.string().nullable(),
      threshold: z2.number().nullable().describe("above so many prompt tokens"),
      hours: z2.string().nullable()
    })
  ).nullable().describe("the rate card; null: this list of prices has none, which does not mean that there is none"),
  rates_left_out: z2.number().int(),
  announced: z2.array(z2.object({ starts_on: z2.string(), amounts: amountsSchema })),
  aliases: z2.array(z2.string())
});
function toFullRecord(record) {
  const { rates, announced, aliases } = record;
  return {
    ...toSummary(record),
    source_url: record.source_url ?? null,
    rates: rates?.slice(0, ratesMax).map(({ meter, unit, amount: amount2, service_tier, variant, threshold, hours }) => ({
      meter,
      unit,
      amount: amount2,
      service_tier,
      variant,
      threshold,
      hours
    })) ?? null,
    rates_left_out: Math.max(0, (rates?.length ?? 0) - ratesMax),
    announced: (announced ?? []).slice(0, announcedMax).map((one2) => ({ starts_on: one2.starts_on, amounts: toAmounts(one2) })),
    aliases: [...new Set((aliases ?? []).map(({ model_name: name }) => short(name, 200)))].slice(
      0,
      aliasesMax
    )
  };
}
function recordText(record) {
  const { product_id, platform, source_url, effective_at, updated_at } = record;
  const rates = (record.rates ?? []).map(
    ({ meter, unit, amount: amount2, service_tier, variant, threshold, hours }) => {
      const length = threshold === null ? null : `above ${threshold} tokens`;
      const conditions = [service_tier, variant, length, hours].filter((one2) => one2 !== null);
      return `  ${plain(meter)} ${amount2} per ${plain(unit)}${conditions.length === 0 ? "" : ` (${plain(conditions.join(", "))})`}`;
    }
  );
  const announced = record.announced.map(
    ({ starts_on, amounts }) => `  from ${starts_on}: ${Object.entries(amounts).flat().join(" ")}`
  );
  return [
    summaryText(record),
    `Product ${plain(product_id ?? "unknown")}, paid at ${plain(platform ?? "unknown")}.`,
    `In effect since ${effective_at ?? "an unknown day"}; the record last moved ${updated_at}.${source_url === null ? "" : ` Source: ${plain(source_url)}`}`,
    record.rates === null ? "This list of prices has no rate card for it." : "Rate card:",
    ...rates,
    ...record.rates_left_out > 0 ? [`  and ${record.rates_left_out} more rates`] : [],
    ...announced.length > 0 ? ["Announced:", ...announced] : []
  ].join("\n");
}

// packages/mcp/src/resources.ts
var mimeType = "application/json";
var namesMax = 100;
var completionsMax = 20;
function registerResources(server, source) {
  server.registerResource(
    "catalog",
    "ratecard://catalog",
    {
      title: "The list of prices",
      description: "Where the prices come from, how old they are, and which vendors and platforms they have.",
      mimeType
    },
    async ({ href: uri }) => {
      const prices = await source.get();
      const { catalog } = prices;
      const overview = {
        catalog: buildStamp(prices),
        records: catalog.size,
        vendors: countMost(catalog, "vendor"),
        platforms: countMost(catalog, "platform")
      };
      return { contents: [{ uri, mimeType, text: JSON.stringify(overview, null, 2) }] };
    }
  );
  const complete = async (begin) => {
    const { catalog } = await source.get();
    const ids = catalog.records().map(({ resource_id: id }) => id);
    return ids.filter((id) => id.startsWith(begin)).slice(0, completionsMax);
  };
  server.registerResource(
    "price",
    new ResourceTemplate("ratecard://prices/{resource_id}", {
      list: void 0,
      complete: { resource_id: complete }
    }),
    { title: "One price record", description: "A record with its rate card, by its resource_id.", mimeType },
    async ({ href: uri }, { resource_id: given }) => {
      const prices = await source.get();
      const record = prices.catalog.get(decoded(String(given)));
      if (record === void 0)
        throw new McpError(
          ErrorCode.InvalidParams,
          "There is no such record: look for it with search_prices."
        );
      const text2 = JSON.stringify({ price: toFullRecord(record), catalog: buildStamp(prices) }, null, 2);
      return { contents: [{ uri, mimeType, text: text2 }] };
    }
  );
}
function decoded(text2) {
  try {
    return decodeURIComponent(text2);
  } catch {
    return text2;
  }
}
function countMost(catalog, field) {
  const counts = /* @__PURE__ */ new Map();
  for (const record of catalog.records()) {
    const name = record[field] ?? "unknown";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, namesMax));
}

// packages/cost/src/readers/anthropic.ts
init_errors();

// packages/cost/src/readers/shape.ts
init_errors();

// packages/cost/src/readers/signs.ts
var signs = [
  ["gen_ai.usage.input_tokens", "readOpenTelemetry"],
  ["usageMetadata", "readGemini"],
  ["promptTokenCount", "readGemini"],
  ["billed_units", "readCohere"],
  ["prompt_cache_hit_tokens", "readDeepSeek"],
  ["cost_in_usd_ticks", "readXai"],
  ["cost_details", "readOpenRouter"],
  ["_hidden_params", "readLiteLlm"],
  ["inputTokenDetails", "readAiSdk"],
  ["totalUsage", "readAiSdk"],
  ["cacheReadInputTokens", "readBedrock"],
  ["cachedInputTokens", "readAiSdk"],
  ["cache_read_input_tokens", "readAnthropic"],
  ["cache_creation", "readAnthropic"],
  ["prompt_tokens", "readOpenAi"],
  ["input_tokens_details", "readOpenAi"],
  ["inputTokens", "readBedrock or readAiSdk"],
  ["input_tokens", "readAnthropic or readOpenAi"]
];
function unreadMessage(given) {
  const outer = Object(given);
  const objects = [outer, Object(outer["usage"])];
  const sign = signs.find(([field]) => objects.some((one2) => Object.hasOwn(one2, field)));
  const which = sign === void 0 ? "the reader of who answered, or write { counts: { input_tokens: 1200 } }" : sign[1];
  return `This is no usage that can be priced. Read it with ${which}.`;
}

// packages/cost/src/readers/shape.ts
function isObject(value) {
  return typeof value === "object" && value !== null;
}
function inside(fields, name) {
  const value = fields[name];
  return isObject(value) ? value : nothing2;
}
var nothing2 = Object.freeze({});
function usageIn(answer, name = "usage") {
  const outer = isObject(answer) ? answer : nothing2;
  const { [name]: own2 } = outer;
  return { outer, usage: isObject(own2) ? own2 : outer };
}
function count(fields, name) {
  const value = fields[name];
  if (value === void 0 || value === null) return 0;
  if (typeof value !== "number" || !(value >= 0) || !Number.isFinite(value))
    throw new UsageError(`"${name}" is no count, so nobody knows how much was used.`);
  return value;
}
function has(fields, ...names) {
  return names.some((name) => fields[name] !== void 0 && fields[name] !== null);
}
function text(fields, name) {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : void 0;
}
function time(fields, ...names) {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" || typeof value === "number" || value instanceof Date) return value;
  }
  return void 0;
}
function without(whole, name, ...parts) {
  const left = parts.reduce((rest, part) => rest - part, whole);
  if (left < 0)
    throw new UsageError(
      `The parts of "${name}" are more than the whole: nobody knows what is counted twice.`
    );
  return left;
}
function checkTotal(fields, name, ...sums) {
  if (has(fields, name) && !sums.includes(count(fields, name)))
    throw new UsageError(
      `"${name}" is ${count(fields, name)}, and the parts are ${[...new Set(sums)].join(" or ")}: this is another vendor's answer, or a later form. Use the reader of who answered.`
    );
}
function countsOf(counts) {
  const used = Object.entries(counts).filter(
    ([, value]) => isObject(value) ? Object.values(value).some((one2) => one2 !== 0) : value !== void 0 && value !== 0
  );
  return Object.fromEntries(used);
}
function kindsOf(kinds3) {
  const used = Object.entries(kinds3).filter(([, one2]) => one2 > 0);
  return used.every(([kind]) => kind === "") ? used[0]?.[1] ?? 0 : Object.fromEntries(used);
}
function refuse(answer, reader) {
  const message = unreadMessage(answer);
  throw new UsageError(
    message.includes(reader) ? `${reader} finds no usage in it: is it whole?` : `This is not what ${reader} reads. ${message}`
  );
}
function cacheWrites(all, byTtl, { cacheTtl }) {
  const told = Object.values(byTtl).reduce((sum2, one2) => sum2 + one2, 0);
  if (told === 0 && all > 0) return { [cacheTtl ?? "unknown"]: all };
  if (all !== 0 && told !== all)
    throw new UsageError(
      "The writes to the cache by time to live are not all writes: nobody knows how long the rest lives."
    );
  return { ...byTtl };
}
function said2(value) {
  return Object.fromEntries(Object.entries(value).filter(([, one2]) => one2 !== void 0));
}

// packages/cost/src/readers/known-fields.ts
function paths(...texts) {
  const all = texts.join(" ").matchAll(/([\w.]*)(?:\(([^)]*)\)(\w*))?/g);
  return new Set(
    [...all].flatMap(
      ([, head = "", kinds3, tail = ""]) => kinds3 === void 0 ? [head] : kinds3.split(/\s+/).map((kind) => head + kind + tail)
    )
  );
}
var chat = `(created created_at) (prompt completion total)_tokens
  prompt_tokens_details.(cached cache_write text image audio video)_tokens
  completion_tokens_details.(reasoning text audio image accepted_prediction rejected_prediction)_tokens`;
var openAi = `${chat} seconds (input output)_tokens
  input_tokens_details.(cached cache_write text image)_tokens input_tokens_details.cached_tokens_details.(text image)_tokens
  output_tokens_details.(reasoning text image)_tokens input_token_details.(text audio image cached)_tokens
  input_token_details.cached_tokens_details.(text audio image)_tokens output_token_details.(text audio)_tokens
  (queue prompt completion total)_time estimated_cost cost
  (cached citation reasoning)_tokens num_search_queries`;
var life = "cache_creation.ephemeral_(5m 1h)_input_tokens";
var anthropic = `created_at (input output cache_read_input cache_creation_input)_tokens ${life}
  output_tokens_details.thinking_tokens server_tool_use.(web_search web_fetch code_execution)_requests
  iterations.(input output cache_read_input cache_creation_input)_tokens iterations.${life}
  iterations.output_tokens_details.thinking_tokens`;
var gemini = `(prompt cachedContent candidates response toolUsePrompt thoughts total)TokenCount
  promptTokensDetails.tokenCount cacheTokensDetails.tokenCount candidatesTokensDetails.tokenCount
  responseTokensDetails.tokenCount toolUsePromptTokensDetails.tokenCount`;
var bedrock = `(input output total cacheReadInput cacheWriteInput)Tokens cacheDetails.inputTokens
  (cacheReadInput cacheWriteInput)TokenCount`;
var mistral = `${chat} num_cached_tokens prompt_audio_seconds request_count prompt_token_details.cached_tokens`;
var deepSeek = `${chat} prompt_cache_(hit miss)_tokens`;
var xai = `(created created_at) cost_in_usd_ticks num_sources_used num_server_side_tools_used
  (prompt completion input output total)_tokens prompt_tokens_details.(cached audio text image)_tokens
  input_tokens_details.(cached audio text image)_tokens output_tokens_details.reasoning_tokens
  completion_tokens_details.(reasoning accepted_prediction rejected_prediction)_tokens
  server_side_tool_usage_details.(web_search x_search code_interpreter file_search document_search mcp)_calls`;
var openRouter = `${chat} cost cost_details server_tool_use.web_search_requests`;
var liteLlm = `${openAi} (cache_read cache_creation)_input_tokens server_tool_use.web_search_requests
  prompt_tokens_details.(web_search_requests cache_creation_tokens)
  prompt_tokens_details.cache_creation_token_details.ephemeral_(5m 1h)_input_tokens`;
var aiSdk = `(input output total reasoning cachedInput prompt completion)Tokens tokens
  inputTokenDetails.(noCache cacheRead cacheWrite)Tokens outputTokenDetails.(text reasoning)Tokens`;
var cohere = `(input output)_tokens search_units images`;
var cohereFields = /* @__PURE__ */ paths(cohere);
var openAiFields = /* @__PURE__ */ paths(openAi);
var anthropicFields = /* @__PURE__ */ paths(anthropic);
var geminiFields = /* @__PURE__ */ paths(gemini);
var bedrockFields = /* @__PURE__ */ paths(bedrock);
var mistralFields = /* @__PURE__ */ paths(mistral);
var deepSeekFields = /* @__PURE__ */ paths(deepSeek);
var xaiFields = /* @__PURE__ */ paths(xai);
var openRouterFields = /* @__PURE__ */ paths(openRouter);
var liteLlmFields = /* @__PURE__ */ paths(liteLlm);
var aiSdkFields = /* @__PURE__ */ withRaw();
function withRaw() {
  const isBilledBeside = /(?:(?<!mcp)_calls|_queries|_used|seconds|citation_tokens|code_execution_requests|(?:completion|output)\w*\.image_tokens)$/;
  const raw = [...paths(openAi, anthropic, gemini, bedrock, mistral, deepSeek, xai, openRouter)];
  return /* @__PURE__ */ new Set([
    ...paths(aiSdk),
    ...raw.filter((path) => !isBilledBeside.test(path)).map((path) => `raw.${path}`)
  ]);
}
function unreadIn(usage, known2) {
  const unread = {};
  const walk = (fields, within, depth) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = Array.isArray(fields) ? within : within === "" ? name : `${within}.${name}`;
      if (known2.has(path)) continue;
      if (isObject(value) && depth < depthMax) walk(value, path, depth + 1);
      else if (typeof value === "number" && value > 0) {
        const meter = `usage.${path.slice(0, pathCharsMax)}`;
        unread[meter] = (unread[meter] ?? 0) + value;
      }
    }
  };
  walk(usage, "", 0);
  return unread;
}
var pathCharsMax = 100;
var depthMax = 6;

// packages/cost/src/readers/anthropic.ts
function readAnthropic(answer, options = {}) {
  const { outer, usage } = usageIn(answer);
  const isOther = has(usage, "prompt_tokens", "total_tokens", "input_tokens_details", "input_token_details");
  if (isOther || !has(usage, "input_tokens") || !has(usage, "output_tokens")) refuse(answer, "readAnthropic");
  const rounds = roundsIn(usage);
  const sum2 = (name) => rounds.reduce((all, round) => all + count(round, name), 0);
  const ttl = (name) => rounds.reduce((all, round) => all + count(inside(round, "cache_creation"), name), 0);
  const tools = inside(usage, "server_tool_use");
  const geo = text(usage, "inference_geo");
  return said2({
    counts: countsOf({
      input_tokens: sum2("input_tokens"),
      cached_input_tokens: sum2("cache_read_input_tokens"),
      cache_write_tokens: cacheWrites(
        sum2("cache_creation_input_tokens"),
        { "5m": ttl("ephemeral_5m_input_tokens"), "1h": ttl("ephemeral_1h_input_tokens") },
        options
      ),
      output_tokens: sum2("output_tokens"),
      searches: count(tools, "web_search_requests"),
      code_executions: count(tools, "code_execution_requests"),
      ...unreadIn(usage, anthropicFields)
    }),
    model: text(outer, "model"),
    tier: text(usage, "speed") === "fast" ? "fast" : text(usage, "service_tier"),
    region: geo === "global" || geo === "not_available" ? void 0 : geo,
    at: time(outer, "created_at"),
    requests: rounds.length > 1 ? rounds.length : void 0
  });
}
function roundsIn(usage) {
  const { iterations } = usage;
  const rounds = Array.isArray(iterations) ? iterations.filter(isObject) : [];
  if (rounds.some((round) => round["type"] !== "message" && round["type"] !== "compaction"))
    throw new UsageError(
      'The answer has rounds of another model: price each of "usage.iterations" by itself.'
    );
  return rounds.length === 0 ? [usage] : rounds;
}

// packages/cost/src/readers/any.ts
init_errors();

// packages/cost/src/readers/ai-sdk.ts
init_errors();
function readAiSdk(answer, options = {}) {
  const { outer } = usageIn(answer);
  const stated = [outer["totalUsage"], outer["usage"], outer].find(isObject) ?? outer;
  const response = [outer["response"], inside(outer, "responses")[0]].find(isObject) ?? {};
  const about = { model: text(response, "modelId"), at: time(response, "timestamp") };
  if (!has(stated, "inputTokens", "promptTokens", "outputTokens", "tokens")) {
    if (has(outer, "durationInSeconds"))
      return said2({ ...about, counts: countsOf({ input_audio_seconds: count(outer, "durationInSeconds") }) });
    if ("inputTokens" in stated) throw unreported();
    refuse(answer, "readAiSdk");
  }
  const usage = isObject(stated["inputTokens"]) ? ofModel(stated) : stated;
  const steps = outer["steps"];
  return said2({
    ...about,
    counts: {
      ...has(usage, "promptTokens") ? fourth(usage) : has(usage, "tokens") ? (
        // Embeddings.
        countsOf({ input_tokens: count(usage, "tokens") })
      ) : later(usage, outer, options),
      ...unreadIn(usage, aiSdkFields)
    },
    tier: tierIn(usage, inside(outer, "providerMetadata")),
    requests: Array.isArray(steps) && steps.length > 1 && has(outer, "totalUsage") ? steps.length : void 0
  });
}
function tierIn(usage, metadata) {
  const raw = inside(usage, "raw");
  if (text(raw, "speed") === "fast") return "fast";
  const stated = [inside(metadata, "openai"), inside(metadata, "azure")].map(
    (one2) => text(one2, "serviceTier")
  );
  return stated.find((tier) => tier !== void 0) ?? text(raw, "service_tier");
}
function fourth(usage) {
  return countsOf({
    input_tokens: count(usage, "promptTokens"),
    output_tokens: count(usage, "completionTokens")
  });
}
function later(usage, outer, options) {
  if (!has(usage, "inputTokens") || !has(usage, "outputTokens")) throw unreported();
  const [input5, output5] = [count(usage, "inputTokens"), count(usage, "outputTokens")];
  const details = inside(usage, "inputTokenDetails");
  const out = inside(usage, "outputTokenDetails");
  const reasoning = has(out, "reasoningTokens") ? count(out, "reasoningTokens") : count(usage, "reasoningTokens");
  const metadata = inside(outer, "providerMetadata");
  const anthropic2 = inside(metadata, "anthropic");
  const bedrock2 = inside(inside(metadata, "bedrock"), "usage");
  const raw = has(usage, "raw") ? inside(usage, "raw") : inside(anthropic2, "usage");
  const ttl = inside(raw, "cache_creation");
  const isSixth = has(usage, "inputTokenDetails");
  const read = isSixth ? count(details, "cacheReadTokens") : count(usage, "cachedInputTokens");
  const written = isSixth ? count(details, "cacheWriteTokens") : count(anthropic2, "cacheCreationInputTokens") + count(bedrock2, "cacheWriteInputTokens");
  const byTtl = {
    "5m": count(ttl, "ephemeral_5m_input_tokens"),
    "1h": count(ttl, "ephemeral_1h_input_tokens")
  };
  const isIn = isSixth || (options.cachedIn ?? guessless(read, input5, has(anthropic2, "cacheCreationInputTokens", "usage")));
  const kinds3 = kindsIn(raw);
  if (read > 0 && kinds3.input_audio_tokens > 0)
    throw new UsageError(
      "The AI SDK does not say how much of the audio was cached: read the answer of the vendor."
    );
  return countsOf({
    input_tokens: isIn ? without(input5, "inputTokens", read, isSixth ? written : 0, kinds3.input_audio_tokens) : without(input5, "inputTokens", kinds3.input_audio_tokens),
    cached_input_tokens: read,
    cache_write_tokens: cacheWrites(written, byTtl, options),
    output_tokens: without(
      output5,
      "outputTokens",
      reasoning,
      kinds3.output_audio_tokens,
      kinds3.output_image_tokens
    ),
    reasoning_tokens: reasoning,
    ...kinds3,
    searches: count(inside(raw, "server_tool_use"), "web_search_requests")
  });
}
function unreported() {
  return new UsageError("The AI SDK has no counts of this answer: its provider did not report them.");
}
function kindsIn(raw) {
  const inOpenAi = (name) => count(inside(raw, name), "audio_tokens");
  const inGemini = (name, modality) => {
    const list = raw[name];
    const found = (Array.isArray(list) ? list : []).filter(isObject).find((one2) => one2["modality"] === modality);
    return found === void 0 ? 0 : count(found, "tokenCount");
  };
  return {
    input_audio_tokens: inOpenAi("prompt_tokens_details") + inGemini("promptTokensDetails", "AUDIO"),
    output_audio_tokens: inOpenAi("completion_tokens_details") + inGemini("candidatesTokensDetails", "AUDIO"),
    output_image_tokens: inGemini("candidatesTokensDetails", "IMAGE")
  };
}
function ofModel(usage) {
  const [input5, output5] = [inside(usage, "inputTokens"), inside(usage, "outputTokens")];
  return {
    inputTokens: input5["total"],
    outputTokens: output5["total"],
    inputTokenDetails: { cacheReadTokens: input5["cacheRead"], cacheWriteTokens: input5["cacheWrite"] },
    outputTokenDetails: { reasoningTokens: output5["reasoning"] },
    raw: usage["raw"]
  };
}
function guessless(read, input5, isAnthropic) {
  if (read === 0) return true;
  if (read > input5 || isAnthropic) return false;
  throw new UsageError(
    'Version 5 of the AI SDK does not say whether "inputTokens" has the cached ones in it. Give { cachedIn: true } for OpenAI and Google, { cachedIn: false } for Anthropic and Bedrock.'
  );
}

// packages/cost/src/readers/gemini.ts
init_errors();
function readGemini(answer) {
  const { outer, usage } = usageIn(answer, "usageMetadata");
  if (!has(usage, "promptTokenCount", "totalTokenCount")) refuse(answer, "readGemini");
  const written = has(usage, "responseTokenCount") ? "response" : "candidates";
  const prompt = count(usage, "promptTokenCount");
  const output5 = count(usage, `${written}TokenCount`);
  const thoughts = count(usage, "thoughtsTokenCount");
  const tools = count(usage, "toolUsePromptTokenCount");
  checkTotal(usage, "totalTokenCount", prompt + output5 + thoughts + tools);
  const asked = listKinds(usage, "promptTokensDetails", prompt);
  const cached = listKinds(usage, "cacheTokensDetails", count(usage, "cachedContentTokenCount"), asked);
  const byTool = listKinds(usage, "toolUsePromptTokensDetails", tools);
  const answered = listKinds(usage, `${written}TokensDetails`, output5);
  const counts = { reasoning_tokens: thoughts, ...unreadIn(usage, geminiFields) };
  for (const kind of kinds) {
    const name = kind === "TEXT" ? "" : `${kind.toLowerCase()}_`;
    const from = cached[kind] ?? 0;
    counts[`input_${name}tokens`] = without(asked[kind] ?? 0, "promptTokenCount", from) + (byTool[kind] ?? 0);
    counts[`cached_input_${name}tokens`] = from;
    counts[`output_${name}tokens`] = answered[kind] ?? 0;
  }
  const model = text(outer, "modelVersion");
  return said2({
    counts: countsOf({ ...counts, searches: searchesIn(outer, model) }),
    model,
    tier: toTier(text(usage, "trafficType")),
    at: time(outer, "createTime")
  });
}
var kinds = ["TEXT", "IMAGE", "VIDEO", "AUDIO", "DOCUMENT"];
function listKinds(usage, name, all, of) {
  const details = usage[name];
  if (!Array.isArray(details) || details.length === 0) return { [onlyKind(of, all)]: all };
  const found = {};
  for (const detail of details.filter(isObject)) {
    const kind = text(detail, "modality") ?? "";
    if (!kinds.includes(kind))
      throw new UsageError(`"${name}" has tokens of a kind that is not known: update @ratecard/cost.`);
    found[kind] = (found[kind] ?? 0) + count(detail, "tokenCount");
  }
  const rest = without(all, name, ...Object.values(found));
  return rest === 0 ? found : { ...found, TEXT: (found["TEXT"] ?? 0) + rest };
}
function onlyKind(of, all) {
  const used = Object.entries(of ?? {}).filter(([, tokens]) => tokens > 0);
  if (all > 0 && used.length > 1)
    throw new UsageError(
      'The answer does not say which kind of tokens was read from the cache ("cacheTokensDetails").'
    );
  return used[0]?.[0] ?? "TEXT";
}
function searchesIn(outer, model) {
  const { candidates } = outer;
  const grounding = (Array.isArray(candidates) ? candidates.filter(isObject) : []).map(
    (candidate) => inside(candidate, "groundingMetadata")
  );
  const all = (name) => grounding.flatMap(({ [name]: list }) => Array.isArray(list) ? list : []);
  const queries = all("webSearchQueries").filter((query) => query !== "").length;
  const maps = Math.min(
    1,
    all("groundingChunks").filter((chunk) => has(Object(chunk), "maps")).length
  );
  const generation = Number(/gemini-(\d+)/.exec(model ?? "")?.[1] ?? 3);
  return kindsOf({ "": generation >= 3 ? queries : Math.min(1, queries), maps });
}
function toTier(traffic) {
  return traffic?.replace(/^ON_DEMAND_?/, "").toLowerCase() || void 0;
}

// packages/cost/src/readers/media.ts
init_errors();
function mediaCounts(outer) {
  const { data, predictions, generatedImages, object, duration } = outer;
  if (object === "video") return videoCounts(outer);
  if (typeof duration === "number" && typeof outer["text"] === "string")
    return countsOf({ input_audio_seconds: count(outer, "duration") });
  const pictures = [data, predictions, generatedImages].find(Array.isArray);
  const isPicture = (one2) => has(Object(one2), "b64_json", "url", "bytesBase64Encoded", "image");
  if (pictures === void 0 || !pictures.every(isPicture) || pictures.length === 0) return null;
  return countsOf({ output_images: kindsOf(byKind(outer, pictures.length)) });
}
function byKind(outer, pictures) {
  const quality = text(outer, "quality");
  const kind = [text(outer, "size"), quality === "standard" ? void 0 : quality];
  return { [kind.filter((part) => part !== void 0).join("/")]: pictures };
}
function videoCounts(outer) {
  const status = text(outer, "status");
  if (status !== "completed" && status !== "failed")
    throw new UsageError('The video is not done: read the answer that says "completed".');
  const seconds = status === "failed" ? 0 : Number(outer["seconds"]);
  return countsOf({
    output_video_seconds: kindsOf({ [text(outer, "size") ?? ""]: count({ seconds }, "seconds") })
  });
}
function readCohere(answer) {
  const { outer, usage } = usageIn(answer);
  const stated = [usage, inside(outer, "meta")].map((one2) => inside(one2, "billed_units")).find((one2) => isBilled(one2));
  if (stated === void 0) refuse(answer, "readCohere");
  return said2({
    counts: countsOf({
      input_tokens: count(stated, "input_tokens"),
      output_tokens: count(stated, "output_tokens"),
      queries: count(stated, "search_units"),
      input_images: count(stated, "images"),
      ...unreadIn(stated, cohereFields)
    }),
    model: text(outer, "model"),
    platform: "cohere"
  });
}
function isBilled(units2) {
  return has(units2, "input_tokens", "output_tokens", "search_units", "images", "classifications");
}
function readDeepgram(answer) {
  const metadata = inside(isObject(answer) ? answer : {}, "metadata");
  if (!has(metadata, "duration")) refuse(answer, "readDeepgram");
  const models = Object.values(inside(metadata, "model_info")).filter(isObject);
  const channels = count(metadata, "channels");
  if (channels > 1 || models.length > 1)
    throw new UsageError("The answer has several channels or models: write the seconds of each as counts.");
  return said2({
    counts: countsOf({ input_audio_seconds: count(metadata, "duration") }),
    model: models.map((one2) => text(one2, "arch")).find((arch) => arch !== void 0),
    platform: "deepgram",
    at: text(metadata, "created")
  });
}

// packages/cost/src/readers/openai.ts
init_errors();

// packages/cost/src/readers/perplexity.ts
function isPerplexity(usage) {
  return has(usage, "search_context_size", "citation_tokens", "num_search_queries");
}
function perplexityCounts(usage, reasoning) {
  if (!isPerplexity(usage)) {
    const apart = count(usage, "reasoning_tokens");
    return apart > 0 && apart !== reasoning ? { "usage.reasoning_tokens": apart } : {};
  }
  const size = text(usage, "search_context_size");
  const queries = count(usage, "num_search_queries");
  return {
    citation_tokens: count(usage, "citation_tokens"),
    reasoning_tokens: Math.max(reasoning, count(usage, "reasoning_tokens")),
    searches: queries,
    ...size !== void 0 && queries === 0 && { requests: { [size]: 1 } }
  };
}
function perplexityReports(usage) {
  const cost = inside(usage, "cost");
  return has(cost, "total_cost") ? { amount: String(count(cost, "total_cost")), currency: "USD" } : void 0;
}

// packages/cost/src/readers/openai.ts
function readOpenAi(answer) {
  const whole = isObject(answer) && isObject(answer["response"]) ? answer["response"] : answer;
  const { outer, usage } = usageIn(whole);
  if (has(
    usage,
    "prompt_cache_hit_tokens",
    "cost_in_usd_ticks",
    "cost_details",
    "cache_read_input_tokens",
    "cache_creation"
  ) || has(usage, "cost") && !isObject(usage["cost"]))
    refuse(answer, "readOpenAi");
  const media = has(outer, "usage") ? null : mediaCounts(outer);
  const counts = media ?? countsIn(usage, outer);
  if (counts === null) refuse(answer, "readOpenAi");
  if (media !== null)
    return said2({ counts: media, model: text(outer, "model"), at: time(outer, "created", "created_at") });
  return said2({
    counts: { ...counts, ...toolsIn(outer), ...unreadIn(usage, openAiFields) },
    model: text(outer, "model"),
    platform: isPerplexity(usage) ? "perplexity" : void 0,
    tier: text(outer, "service_tier"),
    at: time(outer, "created", "created_at"),
    reported: perplexityReports(usage)
  });
}
function countsIn(usage, { object }) {
  if (has(usage, "prompt_tokens")) return chatCounts(usage);
  if (object === "list" && has(usage, "total_tokens") && !has(usage, "input_tokens"))
    return countsOf({ input_tokens: count(usage, "total_tokens") });
  if (usage["type"] === "duration") return countsOf({ input_audio_seconds: count(usage, "seconds") });
  if (has(usage, "input_token_details", "output_token_details")) return spokenCounts(usage);
  if (!has(usage, "input_tokens") || !has(usage, "total_tokens", "input_tokens_details")) return null;
  const details = inside(usage, "input_tokens_details");
  return has(details, "image_tokens", "text_tokens") ? imageCounts(usage) : responseCounts(usage);
}
function chatCounts(usage) {
  const [prompt, completion] = [count(usage, "prompt_tokens"), count(usage, "completion_tokens")];
  checkTotal(usage, "total_tokens", prompt + completion);
  const input5 = inside(usage, "prompt_tokens_details");
  const output5 = inside(usage, "completion_tokens_details");
  const cached = Math.max(count(input5, "cached_tokens"), count(usage, "cached_tokens"));
  const written = count(input5, "cache_write_tokens");
  const [heard, seen] = [count(input5, "audio_tokens"), count(input5, "video_tokens")];
  checkCachedKind(cached, heard + seen);
  const [reasoning, spoken] = [count(output5, "reasoning_tokens"), count(output5, "audio_tokens")];
  const drawn = count(output5, "image_tokens");
  return countsOf({
    input_tokens: without(prompt, "prompt_tokens", cached, written, heard, seen),
    cached_input_tokens: cached,
    cache_write_tokens: written,
    input_audio_tokens: heard,
    input_video_tokens: seen,
    output_tokens: without(completion, "completion_tokens", reasoning, spoken, drawn),
    reasoning_tokens: reasoning,
    output_audio_tokens: spoken,
    output_image_tokens: drawn,
    ...perplexityCounts(usage, reasoning)
  });
}
function checkCachedKind(cached, other) {
  if (cached > 0 && other > 0)
    throw new UsageError(
      "The answer does not say how much of the audio was read from the cache. Write the counts by hand."
    );
}
function responseCounts(usage) {
  const [input5, output5] = [count(usage, "input_tokens"), count(usage, "output_tokens")];
  checkTotal(usage, "total_tokens", input5 + output5);
  const details = inside(usage, "input_tokens_details");
  const [cached, written] = [count(details, "cached_tokens"), count(details, "cache_write_tokens")];
  const reasoning = count(inside(usage, "output_tokens_details"), "reasoning_tokens");
  return countsOf({
    input_tokens: without(input5, "input_tokens", cached, written),
    cached_input_tokens: cached,
    cache_write_tokens: written,
    output_tokens: without(output5, "output_tokens", reasoning),
    reasoning_tokens: reasoning
  });
}
function imageCounts(usage) {
  const [input5, output5] = [count(usage, "input_tokens"), count(usage, "output_tokens")];
  checkTotal(usage, "total_tokens", input5 + output5);
  const details = inside(usage, "input_tokens_details");
  const out = inside(usage, "output_tokens_details");
  const written = count(out, "text_tokens");
  const images = count(details, "image_tokens");
  const cached = inside(details, "cached_tokens_details");
  const [cachedText, cachedImages] = [count(cached, "text_tokens"), count(cached, "image_tokens")];
  if (count(details, "cached_tokens") !== cachedText + cachedImages)
    throw new UsageError("The answer does not say whether text or images were read from the cache.");
  return countsOf({
    input_tokens: without(input5, "input_tokens", images, cachedText),
    cached_input_tokens: cachedText,
    input_image_tokens: without(images, "image_tokens", cachedImages),
    cached_input_image_tokens: cachedImages,
    output_tokens: written,
    output_image_tokens: without(output5, "output_tokens", written)
  });
}
function spokenCounts(usage) {
  const [input5, output5] = [count(usage, "input_tokens"), count(usage, "output_tokens")];
  checkTotal(usage, "total_tokens", input5 + output5);
  const details = inside(usage, "input_token_details");
  const out = inside(usage, "output_token_details");
  const cached = inside(details, "cached_tokens_details");
  const [heard, seen] = [count(details, "audio_tokens"), count(details, "image_tokens")];
  const [cachedAudio, cachedImages] = [count(cached, "audio_tokens"), count(cached, "image_tokens")];
  const all = count(details, "cached_tokens");
  if (!has(details, "cached_tokens_details")) checkCachedKind(all, heard + seen);
  const cachedText = without(all, "cached_tokens", cachedAudio, cachedImages);
  const spoken = count(out, "audio_tokens");
  return countsOf({
    input_tokens: without(input5, "input_tokens", heard, seen, cachedText),
    cached_input_tokens: cachedText,
    input_audio_tokens: without(heard, "audio_tokens", cachedAudio),
    cached_input_audio_tokens: cachedAudio,
    input_image_tokens: without(seen, "image_tokens", cachedImages),
    cached_input_image_tokens: cachedImages,
    output_tokens: without(output5, "output_tokens", spoken),
    output_audio_tokens: spoken
  });
}
function toolsIn({ output: output5, tools }) {
  const list = (given) => Array.isArray(given) ? given.filter(isObject) : [];
  const items = list(output5);
  const isPreview = list(tools).some((tool) => text(tool, "type")?.startsWith("web_search_preview"));
  const of = (type) => items.filter((item) => item["type"] === type);
  const searches2 = of("web_search_call").filter((item) => {
    const action = text(inside(item, "action"), "type");
    return item["status"] !== "failed" && (action === void 0 || action === "search");
  });
  const files = of("file_search_call").length;
  const containers = /* @__PURE__ */ new Set([
    ...of("code_interpreter_call").map((item) => item["container_id"]),
    ...of("shell_call").flatMap((item) => inside(item, "environment")["container_id"] ?? [])
  ]);
  const size = list(tools).map((tool) => text(inside(tool, "container"), "memory_limit")).find((limit) => limit !== void 0 && limit !== "1g");
  return countsOf({
    code_interpreter_sessions: kindsOf({ [size ?? ""]: containers.size }),
    image_generations: of("image_generation_call").length,
    searches: kindsOf({ [isPreview ? "preview" : ""]: searches2.length, file: files })
  });
}

// packages/cost/src/readers/opentelemetry.ts
init_errors();

// packages/cost/src/readers/provider.ts
var forms = /\.(?:chat|completions?|responses|messages|(?:text-?)?embeddings?|images?|speech|transcription|video|reranking)$/;
function platformOfProvider(provider) {
  const name = provider.toLowerCase().replace(forms, "");
  return name === "vertex.anthropic" ? "vertex_ai" : findPlatform(name);
}
var cachedIn = ["openai", "azure", "google", "xai", "deepseek", "mistral", "groq"];
function countsCachedIn(platform) {
  if (platform === void 0) return void 0;
  return cachedIn.includes(platform) || (/^(?:anthropic|bedrock)$/.test(platform) ? false : void 0);
}

// packages/cost/src/readers/opentelemetry.ts
var prefix = "gen_ai.usage.";
var cacheRead = {
  in: [
    `${prefix}cache_read.input_tokens`,
    "ai.usage.inputTokenDetails.cacheReadTokens",
    `${prefix}details.cache_read_tokens`
  ],
  open: [`${prefix}cache_read_input_tokens`, `${prefix}cached_input_tokens`, "ai.usage.cachedInputTokens"]
};
var cacheWrite = {
  in: [
    `${prefix}cache_creation.input_tokens`,
    `${prefix}cache_write.input_tokens`,
    "ai.usage.inputTokenDetails.cacheWriteTokens",
    `${prefix}details.cache_write_tokens`
  ],
  open: [`${prefix}cache_creation_input_tokens`, `${prefix}cache_write_input_tokens`]
};
var reasoningNames = [
  `${prefix}reasoning.output_tokens`,
  "ai.usage.outputTokenDetails.reasoningTokens",
  `${prefix}details.reasoning_tokens`,
  `${prefix}reasoning_tokens`,
  `${prefix}reasoning_output_tokens`,
  "ai.usage.reasoningTokens"
];
var kinds2 = ["image", "audio", "video"];
function readOpenTelemetry(attributes, options = {}) {
  const fields = readAttributes(attributes);
  const first = (...names2) => names2.find((name) => has(fields, name)) ?? "";
  const inName = first(`${prefix}input_tokens`, `${prefix}prompt_tokens`);
  const outName = first(`${prefix}output_tokens`, `${prefix}completion_tokens`);
  if (inName === "" && outName === "") refuse(attributes, "readOpenTelemetry");
  const names = [cacheRead, cacheWrite].map((cache) => first(...cache.in, ...cache.open));
  const [read = 0, written = 0] = names.map((name) => count(fields, name));
  const provider = text(fields, "gen_ai.provider.name") ?? text(fields, "gen_ai.system");
  const platform = provider && platformOfProvider(provider);
  const input5 = count(fields, inName);
  const isOpen = names.some((name) => cacheRead.open.includes(name) || cacheWrite.open.includes(name));
  const isIn = !isOpen || isCachedIn(read + written, input5, platform, options);
  const ins = kinds2.map((kind) => count(fields, `${prefix}${kind}.input_tokens`));
  const heard = count(fields, `${prefix}audio.output_tokens`);
  checkKinds(fields, read + written, ins);
  const reasoning = count(fields, first(...reasoningNames));
  return said2({
    counts: countsOf({
      input_tokens: without(input5, inName, ...isIn ? [read, written] : [], ...ins),
      cached_input_tokens: read,
      cache_write_tokens: cacheWrites(written, {}, options),
      ...Object.fromEntries(kinds2.map((kind, at) => [`input_${kind}_tokens`, ins[at]])),
      output_tokens: without(count(fields, outName), outName, reasoning, heard),
      reasoning_tokens: reasoning,
      output_audio_tokens: heard,
      ...unreadAttributes(fields)
    }),
    model: text(fields, "gen_ai.response.model") ?? text(fields, "gen_ai.request.model"),
    platform,
    tier: text(fields, "openai.response.service_tier") ?? text(fields, "gen_ai.openai.response.service_tier")
  });
}
function isCachedIn(cached, input5, platform, { cachedIn: cachedIn2 }) {
  if (cachedIn2 !== void 0) return cachedIn2;
  if (cached === 0) return true;
  if (cached > input5) return false;
  if (countsCachedIn(platform)) return true;
  throw new UsageError(
    "The attributes do not say whether the input has the cached tokens in it. Give { cachedIn: true } if the instrumentation adds them up, as OpenLLMetry does, else { cachedIn: false }."
  );
}
function checkKinds(fields, cached, ins) {
  if (cached > 0 && ins.some((one2) => one2 > 0))
    throw new UsageError("The attributes do not say how much of the image, audio or video was cached.");
  const stray = Object.keys(fields).find((name) => isUnread(name) && fields[name] !== 0);
  if (stray !== void 0)
    throw new UsageError(
      `"${stray.slice(0, 80)}" is not known to this reader, and may cost something else: update @ratecard/cost.`
    );
}
var readNames = /* @__PURE__ */ new Set([
  ...[cacheRead, cacheWrite].flatMap((names) => [...names.in, ...names.open]),
  ...kinds2.map((kind) => `${prefix}${kind}.input_tokens`),
  `${prefix}audio.output_tokens`
]);
function unreadAttributes(fields) {
  const known2 = /^gen_ai\.usage\.(?:(?:input|output|prompt|completion|total)_tokens|cost\b.*|details\..*)$/;
  const unread = Object.entries(fields).filter(
    ([name, value]) => name.startsWith(prefix) && typeof value === "number" && value > 0 && !known2.test(name) && !readNames.has(name) && !reasoningNames.includes(name)
  );
  return Object.fromEntries(
    unread.map(([name, value]) => [`usage.${name.slice(prefix.length)}`, value])
  );
}
function isUnread(name) {
  const isOfKind = /^gen_ai\.usage\..*(?:cache|image|audio|video).*tokens/.test(name);
  return isOfKind && !readNames.has(name);
}
function readAttributes(given) {
  const list = Array.isArray(given) ? given : isObject(given) ? given["attributes"] : void 0;
  if (isObject(list) && !Array.isArray(list)) return list;
  if (!Array.isArray(list)) return isObject(given) ? given : {};
  const entries = list.filter(isObject).map(({ key: key2, value }) => {
    const { intValue, doubleValue, stringValue } = isObject(value) ? value : {};
    return [String(key2), intValue === void 0 ? doubleValue ?? stringValue : Number(intValue)];
  });
  return Object.fromEntries(entries);
}

// packages/cost/src/readers/vendors.ts
function readBedrock(answer, options = {}) {
  const { outer, usage } = usageIn(answer);
  const isAiSdk = has(usage, "inputTokenDetails", "cachedInputTokens") || has(outer, "totalUsage", "steps");
  if (!has(usage, "inputTokens") || isAiSdk) refuse(answer, "readBedrock");
  const [input5, output5] = [count(usage, "inputTokens"), count(usage, "outputTokens")];
  const [read, written] = [count(usage, "cacheReadInputTokens"), count(usage, "cacheWriteInputTokens")];
  checkTotal(usage, "totalTokens", input5 + output5 + read + written, input5 + output5);
  const byTtl = {};
  const { cacheDetails } = usage;
  for (const detail of Array.isArray(cacheDetails) ? cacheDetails.filter(isObject) : []) {
    const ttl = text(detail, "ttl") ?? "unknown";
    byTtl[ttl] = (byTtl[ttl] ?? 0) + count(detail, "inputTokens");
  }
  const latency = text(inside(outer, "performanceConfig"), "latency");
  return said2({
    counts: countsOf({
      input_tokens: input5,
      cached_input_tokens: read,
      cache_write_tokens: cacheWrites(written, byTtl, options),
      output_tokens: output5,
      ...unreadIn(usage, bedrockFields)
    }),
    platform: "bedrock",
    tier: latency === "optimized" ? "optimized" : text(inside(outer, "serviceTier"), "type")
  });
}
function readMistral(answer) {
  const { outer, usage } = usageIn(answer);
  const about = { model: text(outer, "model"), at: time(outer, "created"), platform: void 0 };
  const pages = inside(outer, "usage_info");
  if (has(pages, "pages_processed")) {
    const isAnnotated = has(outer, "document_annotation");
    const read = count(pages, "pages_processed");
    return said2({ ...about, counts: countsOf({ [isAnnotated ? "annotated_pages" : "pages"]: read }) });
  }
  if (!has(usage, "prompt_tokens")) refuse(answer, "readMistral");
  const cached = count(usage, "num_cached_tokens");
  const details = inside(usage, "prompt_tokens_details");
  const seconds = typeof usage["prompt_audio_seconds"] === "number" ? count(usage, "prompt_audio_seconds") : 0;
  const stated = seconds > 0 ? { ...usage, total_tokens: void 0 } : usage;
  const merged = has(details, "cached_tokens") ? stated : { ...stated, prompt_tokens_details: { ...details, cached_tokens: cached } };
  const unread = unreadIn(usage, mistralFields);
  return said2({
    ...about,
    counts: { ...chatCounts(merged), ...countsOf({ input_audio_seconds: seconds, ...unread }) }
  });
}
function readDeepSeek(answer) {
  const { outer, usage } = usageIn(answer);
  if (!has(usage, "prompt_cache_hit_tokens")) refuse(answer, "readDeepSeek");
  const [hit2, missed] = [count(usage, "prompt_cache_hit_tokens"), count(usage, "prompt_cache_miss_tokens")];
  checkTotal(usage, "prompt_tokens", hit2 + missed);
  const details = { cached_tokens: hit2 };
  return said2({
    counts: {
      ...chatCounts({ ...usage, prompt_tokens: hit2 + missed, prompt_tokens_details: details }),
      ...unreadIn(usage, deepSeekFields)
    },
    model: text(outer, "model"),
    platform: "deepseek",
    at: time(outer, "created")
  });
}
function readXai(answer) {
  const { outer, usage } = usageIn(answer);
  const isChat = has(usage, "prompt_tokens");
  const [inName, outName] = isChat ? ["prompt_tokens", "completion_tokens"] : ["input_tokens", "output_tokens"];
  if (!has(usage, inName)) refuse(answer, "readXai");
  const [input5, output5] = [count(usage, inName), count(usage, outName)];
  const details = inside(usage, `${inName}_details`);
  const reasoning = count(inside(usage, `${outName}_details`), "reasoning_tokens");
  checkTotal(usage, "total_tokens", input5 + output5, input5 + output5 + reasoning);
  const isApart = count(usage, "total_tokens") === input5 + output5 + reasoning;
  const [cached, heard] = [count(details, "cached_tokens"), count(details, "audio_tokens")];
  const tools = inside(usage, "server_side_tool_usage_details");
  return said2({
    counts: {
      ...countsOf({
        input_tokens: without(input5, inName, cached, heard),
        cached_input_tokens: cached,
        input_audio_tokens: heard,
        output_tokens: isApart ? output5 : without(output5, outName, reasoning),
        reasoning_tokens: reasoning,
        search_sources: count(usage, "num_sources_used"),
        code_executions: count(tools, "code_interpreter_calls"),
        ...unreadIn(usage, xaiFields)
      }),
      ...searches({
        "": count(tools, "web_search_calls"),
        x: count(tools, "x_search_calls"),
        file: count(tools, "file_search_calls"),
        document: count(tools, "document_search_calls")
      })
    },
    model: text(outer, "model"),
    platform: "xai",
    tier: text(outer, "service_tier"),
    at: time(outer, "created", "created_at"),
    // A tick is a ten thousand millionth of a dollar.
    reported: has(usage, "cost_in_usd_ticks") ? dollars(`${count(usage, "cost_in_usd_ticks")}e-10`) : void 0
  });
}
function searches(byKind2) {
  return Object.values(byKind2).some((one2) => one2 > 0) ? { searches: byKind2 } : {};
}
function readOpenRouter(answer) {
  const { outer, usage } = usageIn(answer);
  if (!has(usage, "prompt_tokens")) refuse(answer, "readOpenRouter");
  const upstream = usage["is_byok"] === true ? count(inside(usage, "cost_details"), "upstream_inference_cost") : 0;
  const searched2 = count(inside(usage, "server_tool_use"), "web_search_requests");
  return said2({
    counts: {
      ...chatCounts(usage),
      ...countsOf({ searches: searched2, ...unreadIn(usage, openRouterFields) })
    },
    model: text(outer, "model"),
    platform: "openrouter",
    at: time(outer, "created"),
    reported: has(usage, "cost") ? dollars(count(usage, "cost"), upstream) : void 0
  });
}
function readLiteLlm(answer, options = {}) {
  const { outer, usage } = usageIn(answer);
  if (!has(usage, "prompt_tokens")) refuse(answer, "readLiteLlm");
  const details = inside(usage, "prompt_tokens_details");
  const same = (...stated) => Math.max(...stated.map(([fields, name]) => count(fields, name)));
  const cached = same([details, "cached_tokens"], [usage, "cache_read_input_tokens"]);
  const written = same([details, "cache_creation_tokens"], [usage, "cache_creation_input_tokens"]);
  const ttl = inside(details, "cache_creation_token_details");
  const byTtl = {
    "5m": count(ttl, "ephemeral_5m_input_tokens"),
    "1h": count(ttl, "ephemeral_1h_input_tokens")
  };
  const merged = { ...details, cached_tokens: cached, cache_write_tokens: written };
  const counts = chatCounts({ ...usage, prompt_tokens_details: merged });
  const searched2 = Math.max(
    same([inside(usage, "server_tool_use"), "web_search_requests"], [details, "web_search_requests"]),
    isPerplexity(usage) ? count(usage, "num_search_queries") : 0
  );
  return said2({
    counts: {
      ...counts,
      ...countsOf({
        cache_write_tokens: cacheWrites(written, byTtl, options),
        searches: searched2,
        ...unreadIn(usage, liteLlmFields)
      })
    },
    model: text(outer, "model"),
    platform: text(inside(outer, "_hidden_params"), "custom_llm_provider"),
    tier: text(outer, "service_tier"),
    at: time(outer, "created")
  });
}
function dollars(...amounts) {
  const parts = amounts.map((amount2) => times(exactCount(amount2), exactCount(1)));
  return { amount: formatDecimal(parts.reduce(plus)), currency: "USD" };
}

// packages/cost/src/readers/any.ts
var readers = {
  "ai-sdk": readAiSdk,
  anthropic: readAnthropic,
  bedrock: readBedrock,
  cohere: readCohere,
  deepgram: readDeepgram,
  deepseek: readDeepSeek,
  gemini: readGemini,
  litellm: readLiteLlm,
  mistral: readMistral,
  openai: readOpenAi,
  openrouter: readOpenRouter,
  opentelemetry: readOpenTelemetry,
  xai: readXai
};
function readUsage(answer, reader = findReader(answer)) {
  if (isObject(answer) && isObject(answer["counts"])) return answer;
  if (reader === void 0 || !Object.hasOwn(readers, reader))
    throw new UsageError(
      `Nobody can tell who answered this. ${unreadMessage(answer)} Name the reader: ${Object.keys(readers).join(", ")}.`
    );
  return readers[reader](answer);
}
function findReader(answer) {
  const { outer, usage } = usageIn(answer);
  const gemini2 = inside(outer, "usageMetadata");
  if (has(gemini2, "promptTokenCount", "totalTokenCount") || has(outer, "promptTokenCount")) return "gemini";
  if (JSON.stringify(answer)?.includes('"gen_ai.usage.')) return "opentelemetry";
  if (has(outer, "_hidden_params")) return "litellm";
  if (has(usage, "prompt_cache_hit_tokens")) return "deepseek";
  if (has(usage, "cost_in_usd_ticks")) return "xai";
  if (has(usage, "prompt_tokens")) {
    if (has(usage, "cache_read_input_tokens", "cache_creation_input_tokens")) return "litellm";
    if (has(usage, "cost", "cost_details")) return "openrouter";
    return has(outer, "service_tier") || has(usage, "completion_tokens_details") ? "openai" : void 0;
  }
  if (has(outer, "usage_info")) return "mistral";
  if (has(usage, "billed_units") || has(inside(outer, "meta"), "billed_units")) return "cohere";
  if (has(inside(outer, "metadata"), "duration", "model_info")) return "deepgram";
  if (outer["object"] === "video") return "openai";
  if (has(usage, "cache_read_input_tokens", "cache_creation") || text(outer, "type") === "message")
    return "anthropic";
  if (has(usage, "input_tokens_details", "input_token_details") || usage["type"] === "duration")
    return "openai";
  if (has(usage, "inputTokenDetails", "cachedInputTokens", "promptTokens")) return "ai-sdk";
  if (has(usage, "cacheReadInputTokens", "cacheDetails") || has(inside(outer, "metrics"), "latencyMs"))
    return "bedrock";
  return void 0;
}

// packages/mcp/src/tools/cost-of.ts
import { z as z3 } from "zod";

// packages/contract/src/model-search.js
var searchCharsMax = 100;
var wordsMax = 8;
var joinedCharsMin = 4;
function searchTextOf(text2) {
  const parts = isAscii(text2) ? text2.toLowerCase().match(/[a-z]+|[0-9]+/g) : text2.normalize("NFKD").toLowerCase().match(new RegExp("\\p{L}+|\\p{N}+", "gu"));
  return parts ? ` ${parts.join(" ")} ` : " ";
}
function isAscii(text2) {
  return /^[\x00-\x7f]*$/.test(text2);
}
function searchesOf(text2) {
  const cut = text2.slice(0, searchCharsMax).replaceAll("+", " plus");
  const words2 = cut.split(/\s+/).map(searchTextOf).filter((word) => word !== " ").slice(0, wordsMax);
  if (words2.length === 0) return [];
  const whole = searchTextOf(cut);
  const strict = words2.map((word) => new RegExp("\\p{N} $", "u").test(word) ? word : word.trimEnd());
  const loose = words2.map((word) => word.trimEnd());
  const isSame = loose.every((word, index) => word === strict[index]);
  const searches2 = [{ words: strict, whole }];
  if (!isSame) searches2.push({ words: loose, whole });
  const joined = whole.replaceAll(" ", "");
  return joined.length < joinedCharsMin ? searches2 : [...searches2, { words: [joined], whole: joined, isJoined: true }];
}
function rankOf(searched2, { words: words2, whole, isJoined = false }) {
  const name = isJoined ? searched2.name.replaceAll(" ", "") : searched2.name;
  const all = isJoined ? searched2.all.replaceAll(" ", "") : searched2.all;
  if (!words2.every((word) => all.includes(word))) return null;
  if (name === whole || all.startsWith(whole)) return 0;
  if (name.startsWith(whole)) return 1;
  if (name.includes(whole)) return 2;
  return 4 - words2.filter((word) => name.includes(word)).length / words2.length;
}
function findAll(all, text2) {
  const searches2 = searchesOf(text2);
  if (searches2.length === 0) return [...all.keys()];
  for (const search of searches2) {
    const ranked = all.flatMap((searched2, place) => {
      const rank = rankOf(searched2, search);
      return rank === null ? [] : [{ place, rank }];
    });
    if (ranked.length > 0) return ranked.sort((a, b) => a.rank - b.rank).map(({ place }) => place);
  }
  return [];
}

// packages/mcp/src/search.ts
var known = /* @__PURE__ */ new WeakMap();
function searchRecords(records, query) {
  return findAll(records.map(searchedOf), query).map((place) => records[place]);
}
function searchedOf(record) {
  let searched2 = known.get(record);
  if (searched2 === void 0) {
    const { resource_id: id, product_id: product2, vendor, platform, aliases } = record;
    const names = [id, product2, vendor, platform, ...(aliases ?? []).map(({ model_name: name }) => name)];
    searched2 = {
      name: searchTextOf(modelOf(product2 ?? id)),
      all: searchTextOf(names.filter((name) => name !== null).join(" "))
    };
    known.set(record, searched2);
  }
  return searched2;
}
function modelOf(id) {
  return id.slice(id.lastIndexOf("/") + 1).replace(/^[^:]*:/, "");
}

// packages/mcp/src/resolve-name.ts
function resolveName(name, options) {
  const exact = resolve(name, options);
  if (exact.isResolved || exact.reason !== "unknown") return exact;
  const found = listSpellings(name, options.catalog).map((spelling) => resolve(spelling, options));
  const resolved = found.flatMap((one2) => one2.isResolved ? [one2] : []);
  const ids = new Set(resolved.map(({ record }) => record.resource_id));
  const [first] = resolved;
  if (first !== void 0 && ids.size === 1)
    return { ...first, rule: "display_name", steps: [name, ...first.steps] };
  if (ids.size > 1)
    return { isResolved: false, reason: "ambiguous", candidates: [...ids], message: severalMean(ids.size) };
  return found.find((one2) => !one2.isResolved && one2.reason === "ambiguous") ?? exact;
}
var severalMean = (count2) => `The name means ${count2} records: name one of the candidates.`;
function listSpellings(name, catalog) {
  const wanted = searchTextOf(name);
  const spellings = /* @__PURE__ */ new Set();
  for (const { resource_id: id, product_id: product2 } of catalog.records()) {
    const model = modelOf(product2 ?? id);
    if ([model, product2 ?? ""].some((one2) => searchTextOf(one2) === wanted)) spellings.add(model);
  }
  spellings.delete(name);
  return [...spellings].slice(0, spellingsMax);
}
var spellingsMax = 5;

// packages/mcp/src/tools/cost-of.ts
var usageCharsMax = 65536;
var readers2 = [
  "ai-sdk",
  "anthropic",
  "bedrock",
  "deepseek",
  "gemini",
  "litellm",
  "mistral",
  "openai",
  "openrouter",
  "opentelemetry",
  "xai"
];
var input = z3.strictObject({
  usage: z3.record(z3.string(), z3.unknown()).optional().describe("the answer of a vendor, or its usage object, as it is"),
  counts: z3.record(z3.string(), z3.unknown()).optional().describe(
    'instead of usage, each token counted once: {"input_tokens":900,"cached_input_tokens":100,"cache_write_tokens":{"1h":50},"output_tokens":20}'
  ),
  model: words(512).optional().describe("instead of what the answer says; needed where it says nothing"),
  platform: words(100).optional().describe("who is paid: openai, bedrock, vertex_ai, azure, openrouter, \u2026"),
  reader: z3.enum(readers2).optional().describe("who wrote the usage, where its fields do not tell"),
  tier: words(100).optional().describe("batch, flex, priority, \u2026"),
  region: words(100).optional(),
  at: words(40).optional().describe("when it was used, RFC 3339"),
  prefer_reported: z3.boolean().optional().describe("the cost that the provider reports is the total")
});
var line = z3.object({
  meter: z3.string(),
  variant: z3.string().nullable(),
  count: z3.string(),
  unit: z3.string(),
  rate: z3.string(),
  amount: z3.string(),
  tier: z3.string().nullable(),
  threshold: z3.number().nullable(),
  billed_as: z3.string(),
  resource_id: z3.string()
});
var output = z3.object({
  is_whole: z3.boolean().describe("everything has a price"),
  total: z3.string().nullable().describe("exact; null where something has no price, which is not 0"),
  at_least: z3.string().nullable().describe("the sum of what has a price, where not all has"),
  currency: z3.string().nullable(),
  source: z3.enum(["catalog", "reported"]),
  reported: z3.object({ amount: z3.string(), currency: z3.string() }).nullable(),
  lines: z3.array(line),
  unpriced: z3.array(
    z3.object({
      meter: z3.string(),
      variant: z3.string().nullable(),
      count: z3.string(),
      reason: z3.string(),
      message: z3.string()
    })
  ),
  resource_id: z3.string().nullable(),
  rule: z3.string().nullable(),
  candidates: z3.array(z3.string()),
  doubts: z3.array(z3.string()).describe("what makes the figure less sure than it looks; tell it to the user"),
  catalog: stampSchema
});
var costOfTool = {
  name: "cost_of",
  title: "What a use of a model costs",
  description: "The exact cost of a usage object of OpenAI, Anthropic, Gemini, Bedrock, Mistral, DeepSeek, xAI, OpenRouter, LiteLLM, the Vercel AI SDK or OpenTelemetry, or of counts: each line with its rate. What has no price is unpriced with the reason, and there is no total then.",
  input,
  output,
  run: (source) => async (asked) => priced(asked, source)
};
async function priced(asked, source) {
  const { platform, reader, tier, region, at, prefer_reported: preferReported } = asked;
  const usage = readUsage(givenUsage(asked), reader);
  const prices = await source.get();
  const { catalog } = prices;
  const cost = costOf(usage, {
    catalog,
    model: asked.model === void 0 ? void 0 : spelledModel(asked.model, { catalog, platform, region }),
    platform,
    tier,
    region,
    at,
    preferReported
  });
  const structured = toStructured(cost, buildStamp(prices));
  return { structured, text: formatText(structured) };
}
function givenUsage({ usage, counts }) {
  if (usage !== void 0 && counts !== void 0)
    throw new ToolError('Give "usage" or "counts", and not both: they would be two uses.');
  const given = usage ?? (counts && { counts });
  if (given === void 0)
    throw new ToolError(
      'Nothing says what was used. Give "usage", the usage object of an answer, or "counts" such as {"input_tokens":900,"output_tokens":20}.'
    );
  if (JSON.stringify(given).length > usageCharsMax)
    throw new ToolError('"usage" has more than 64 KB. Give the usage object of the answer alone.');
  return given;
}
function spelledModel(name, where) {
  const found = resolveName(name, where);
  return found.rule === "display_name" ? found.record.resource_id : name;
}
function toStructured(cost, catalog) {
  const { isWhole, total, currency, source, reported, resourceId, rule, candidates, doubts } = cost;
  return {
    is_whole: isWhole,
    total,
    at_least: cost.isWhole ? null : cost.atLeast,
    currency,
    source,
    reported,
    lines: cost.lines.map((one2) => ({
      meter: one2.meter,
      variant: one2.variant,
      count: one2.count,
      unit: one2.unit,
      rate: one2.rate,
      amount: one2.amount,
      tier: one2.tier,
      threshold: one2.threshold,
      billed_as: one2.billedAs,
      resource_id: one2.resourceId
    })),
    unpriced: cost.unpriced.map(({ meter, variant, count: count2, reason, message }) => ({
      meter,
      variant,
      count: count2,
      reason,
      message
    })),
    resource_id: resourceId,
    rule,
    candidates: [...candidates],
    doubts: [...doubts],
    catalog
  };
}
function formatText(cost) {
  const { total, at_least: least, currency, lines, unpriced, candidates, doubts, resource_id: id } = cost;
  const named2 = (meter, variant) => plain(variant === null ? meter : `${meter} (${variant})`);
  const sum2 = total !== null ? `Total: ${total} ${currency ?? ""}${cost.source === "reported" ? ", as the provider reports" : ""}` : `No total: something has no price. What has one is ${least} ${currency ?? ""}`;
  return [
    sum2.trimEnd(),
    id === null ? "No record." : `Record: ${plain(id)}`,
    ...lines.map(
      (one2) => `  ${named2(one2.meter, one2.variant)}: ${one2.count} at ${one2.rate} per ${one2.unit} = ${one2.amount}`
    ),
    ...unpriced.map(
      (one2) => `  ${named2(one2.meter, one2.variant)}: ${one2.count}, unknown: ${plain(one2.message)}`
    ),
    ...candidates.length > 0 ? [`Candidates: ${plain(candidates.join(", "))}`] : [],
    ...doubts.length > 0 ? [`In doubt: ${doubts.join(", ").replaceAll("_", " ")}`] : [],
    stampText(cost.catalog)
  ].join("\n");
}

// packages/mcp/src/tools/get-price.ts
import { z as z4 } from "zod";
var input2 = z4.strictObject({
  resource_id: words(512).describe("of search_prices or resolve_model, as it is")
});
var output2 = z4.object({ price: recordSchema, catalog: stampSchema });
var getPrice = {
  name: "get_price",
  title: "One price record",
  description: "One record with its whole rate card: tiers, cache writes, long prompts, searches; with announced prices, aliases and source.",
  input: input2,
  output: output2,
  run: (source) => async ({ resource_id: id }) => {
    const prices = await source.get();
    const record = prices.catalog.get(id);
    if (record === void 0) throw new ToolError(missing(id, prices.catalog));
    const structured = { price: toFullRecord(record), catalog: buildStamp(prices) };
    return { structured, text: `${recordText(structured.price)}
${stampText(structured.catalog)}` };
  }
};
function missing(id, catalog) {
  const found = resolveName(id, { catalog });
  const meant = found.isResolved ? [found.record.resource_id] : found.candidates.slice(0, 10);
  const hint = meant.length === 0 ? "Look for it with search_prices." : `It may be one of these: ${meant.join(", ")}.`;
  return `There is no record "${short(id, 200)}". ${hint}`;
}

// packages/mcp/src/tools/resolve-model.ts
import { z as z5 } from "zod";
var input3 = z5.strictObject({
  name: words(512).describe('a model as anything spells it: an id, a path, an ARN, "Claude Sonnet 4.5"'),
  platform: words(100).optional().describe("who is paid: openai, bedrock, vertex_ai, azure, openrouter, \u2026"),
  region: words(100).optional().describe("the region that is billed")
});
var output3 = z5.object({
  is_resolved: z5.boolean(),
  record: summarySchema.nullable(),
  rule: z5.string().nullable().describe("by which rule the name led to the record"),
  steps: z5.array(z5.string()),
  reason: z5.enum(["unknown", "ambiguous"]).nullable(),
  message: z5.string().nullable().describe("what to do"),
  candidates: z5.array(z5.string()).describe("ids of records that may be meant; nobody has chosen among them"),
  catalog: stampSchema
});
var resolveModel = {
  name: "resolve_model",
  title: "What a model name means",
  description: "The price record that a model name means: exactly, by an alias or a documented spelling, never by what is merely near. An ambiguous or unknown name comes back with candidates: ask the user, or name the platform.",
  input: input3,
  output: output3,
  run: (source) => async ({ name, platform, region }) => {
    const prices = await source.get();
    const found = resolveName(name, { catalog: prices.catalog, platform, region });
    const catalog = buildStamp(prices);
    const nothing3 = {
      record: null,
      rule: null,
      steps: [],
      reason: null,
      message: null,
      candidates: [],
      catalog
    };
    if (found.isResolved) {
      const { rule, steps, region: stated, isPlatformAssumed } = found;
      const record = toSummary(found.record);
      const hints = [
        ...isPlatformAssumed ? ["Others sell it too: this is the maker's own price. Name the platform that is paid."] : [],
        ...stated === null ? [] : [`The name states the region ${stated}, which may cost more: ask cost_of.`]
      ];
      const message2 = hints.length === 0 ? null : hints.join(" ");
      return {
        structured: { ...nothing3, is_resolved: true, record, rule, steps: [...steps], message: message2 },
        text: `${summaryText(record)}
Found by ${rule.replaceAll("_", " ")}: ${plain(steps.join(" > "))}
${message2 === null ? "" : `${plain(message2)}
`}${stampText(catalog)}`
      };
    }
    const { reason, message, candidates } = found;
    const list = candidates.length === 0 ? "" : `
Candidates: ${plain(candidates.join(", "))}`;
    return {
      structured: { ...nothing3, is_resolved: false, reason, message, candidates: [...candidates] },
      text: `${plain(message)}${list}
${stampText(catalog)}`
    };
  }
};

// packages/mcp/src/tools/search-prices.ts
import { createHash } from "node:crypto";
import { z as z6 } from "zod";
var limitUsual = 20;
var limitMax = 50;
var orders = {
  relevance: "the best match first",
  input_per_mtok: "the cheapest input first",
  output_per_mtok: "the cheapest output first"
};
var input4 = z6.strictObject({
  query: words(200).optional().describe('words of a name: "sonnet 4.5", "gpt4o"'),
  vendor: words(100).optional().describe("who made the model: openai, anthropic, google, \u2026"),
  platform: words(100).optional().describe("who is paid: openai, bedrock, vertex_ai, azure, openrouter, \u2026"),
  modality: words(50).optional().describe("llm, embedding, image, audio, video, rerank, \u2026"),
  product: words(300).optional().describe("the product on all platforms, such as openai/gpt-4o-mini"),
  sort: z6.enum(Object.keys(orders)).optional().describe(
    "a price: the cheapest first, by currency. Default: relevance with a query, else input_per_mtok"
  ),
  limit: z6.int().min(1).max(limitMax).default(limitUsual),
  cursor: words(100).optional().describe("next_cursor of the page before, with the same filters")
});
var output4 = z6.object({
  prices: z6.array(summarySchema),
  sorted_by: z6.string(),
  total: z6.number().int().describe("how many records there are with these filters"),
  next_cursor: z6.string().nullable(),
  catalog: stampSchema
});
var searchPrices = {
  name: "search_prices",
  title: "Search prices of AI models",
  description: "Lists prices of AI models: filters are exact, the query looks for words. Without a query the cheapest come first. Answers pages. For the cost of a usage use cost_of, for what one model name means resolve_model.",
  input: input4,
  output: output4,
  run: (source) => async (asked) => searched(asked, source)
};
async function searched(asked, source) {
  const prices = await source.get();
  const { catalog } = prices;
  const order = asked.sort ?? (asked.query === void 0 ? "input_per_mtok" : "relevance");
  const found = sorted(findRecords(catalog.records(), asked), order);
  const from = readOffset(asked, catalog);
  const page = found.slice(from, from + asked.limit).map(toSummary);
  const end = from + page.length;
  const structured = {
    prices: page,
    sorted_by: order,
    total: found.length,
    next_cursor: end < found.length ? `${end}.${buildMark(asked, catalog)}` : null,
    catalog: buildStamp(prices)
  };
  const head = found.length === 0 ? "No record has all of this. Use fewer words or filters; resolve_model tells what a name means." : `Records ${Math.min(from + 1, end)} to ${end} of ${found.length}, ${orders[order]}:`;
  const more = structured.next_cursor === null ? [] : [`More: cursor ${structured.next_cursor}`];
  return {
    structured,
    text: [head, ...page.map(summaryText), ...more, stampText(structured.catalog)].join("\n")
  };
}
function findRecords(records, { query = "", vendor, platform, modality, product: product2 }) {
  const isSame = (asked, has2) => asked === void 0 || has2?.toLowerCase() === asked.toLowerCase();
  const fitting = records.filter(
    (record) => isSame(vendor, record.vendor) && isSame(platform, record.platform) && isSame(modality, record.modality) && isSame(product2, record.product_id)
  );
  const rank = ({ platform: seller, vendor: maker }) => seller === maker ? 0 : 1;
  const usual = fitting.sort(
    (a, b) => rank(a) - rank(b) || a.resource_id.length - b.resource_id.length || byId(a, b)
  );
  return searchRecords(usual, query);
}
function sorted(records, order) {
  const last = (record) => record.gone_since != null ? 2 : order !== "relevance" && record[order] === null ? 1 : 0;
  const byPrice = (a, b) => {
    if (order === "relevance") return 0;
    const other = order === "input_per_mtok" ? "output_per_mtok" : "input_per_mtok";
    return String(a.currency).localeCompare(String(b.currency)) || Number(a[order]) - Number(b[order]) || Number(a[other]) - Number(b[other]) || byId(a, b);
  };
  return records.sort((a, b) => last(a) - last(b) || byPrice(a, b));
}
var byId = (a, b) => a.resource_id < b.resource_id ? -1 : 1;
function buildMark({ limit: _, cursor: __, ...question }, { version }) {
  return createHash("sha256").update(JSON.stringify([version, question])).digest("base64url").slice(0, 12);
}
function readOffset(asked, catalog) {
  if (asked.cursor === void 0) return 0;
  const [, offset, mark] = /^(\d{1,7})\.([\w-]{12})$/.exec(asked.cursor) ?? [];
  if (offset === void 0 || mark !== buildMark(asked, catalog))
    throw new ToolError(
      "This cursor is of another question, or the prices have moved since. Ask again without a cursor."
    );
  return Number(offset);
}

// packages/mcp/src/tool-server.ts
var instructions = "Prices of AI models, and what a use of them costs. Amounts are exact decimals as text. An unknown price is not 0: say that it is unknown. One model costs different amounts on different platforms: ask which one is paid. Every answer says how old its prices are; say so where it matters, and pass on the note of the catalog.";
var elementsMax = 1e4;
function createToolServer(source, version, telling) {
  const server = new McpServer(
    { name: "ratecard", title: "Ratecard: prices of AI models", version },
    { instructions, maxToolInputElements: elementsMax }
  );
  register(server, telling, { ...searchPrices, run: searchPrices.run(source) });
  register(server, telling, { ...getPrice, run: getPrice.run(source) });
  register(server, telling, { ...resolveModel, run: resolveModel.run(source) });
  register(server, telling, { ...costOfTool, run: costOfTool.run(source) });
  registerResources(server, source);
  return server;
}

// packages/mcp/src/remote.ts
var RemoteTools = class {
  #version;
  #report;
  #catalog;
  constructor(version, report) {
    this.#version = version;
    this.#report = report;
  }
  /**
   * Takes these prices instead of those before.
   * @param snapshot the text of `/snapshot.json`
   */
  load(snapshot) {
    this.#catalog = new Catalog(snapshot, { origin: "url" });
  }
  /** Answers one message. Nothing of it is remembered. */
  async answer({ headers, body }) {
    const get = () => {
      if (this.#catalog === void 0) throw new Error("A tool was called before there were prices.");
      return Promise.resolve({ catalog: this.#catalog, note: null });
    };
    const server = createToolServer({ get }, this.#version, { secret: null, report: this.#report });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const request = new Request("http://mcp.invalid/mcp", { method: "POST", headers, body });
      const answer = await transport.handleRequest(request);
      const type = answer.headers.get("content-type");
      return {
        status: answer.status,
        headers: type === null ? {} : { "content-type": type },
        body: await answer.text()
      };
    } finally {
      await server.close();
    }
  }
};
export {
  RemoteTools
};
