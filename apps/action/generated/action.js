// src/main.ts
import { createHash } from "node:crypto";
import process3 from "node:process";

// ../../packages/cost/src/errors.ts
var brand = /* @__PURE__ */ Symbol.for("@ratecard/cost error");
var CostError = class extends Error {
  get name() {
    return this[brand];
  }
  static [Symbol.hasInstance](value) {
    return Object(value)[brand] === this.prototype[brand];
  }
};
var UsageError = class extends CostError {
  get [brand]() {
    return "UsageError";
  }
};
var CatalogError = class extends CostError {
  get [brand]() {
    return "CatalogError";
  }
};

// ../../packages/cost/src/book.ts
var key = /* @__PURE__ */ Symbol.for("@ratecard/cost catalog");
var Catalog = class {
  /**
   * @param snapshot the document of `ratecard prices export --format json` or `/snapshot.json`, parsed or as text
   * @throws CatalogError where it is none
   */
  constructor(snapshot, { origin = "data" } = {}) {
    Object.defineProperty(this, key, { value: { book: openBook(snapshot, origin) } });
  }
  /** The version of the list of prices; two snapshots of one service with the same one have the same prices. */
  get version() {
    return findBook(this).snapshot.catalog_version;
  }
  /** How many records there are. */
  get size() {
    return findBook(this).snapshot.resources.length;
  }
  /** The record of this `resource_id`; undefined: there is none. */
  get(resourceId) {
    return findBook(this).byId.get(resourceId);
  }
  /** All records, in the order of the snapshot. */
  records() {
    return findBook(this).snapshot.resources;
  }
  /** Which state this is, and how old its prices are at that moment. */
  stamp(nowMs = Date.now()) {
    const { snapshot, origin, momentMs } = findBook(this);
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
    const inside = openCatalog(this);
    inside.book = openBook(snapshot, inside.book.origin);
  }
  static [Symbol.hasInstance](value) {
    return Object(value)[key] !== void 0;
  }
};
function findBook(catalog) {
  return openCatalog(catalog).book;
}
function openCatalog(catalog) {
  const inside = catalog?.[key];
  if (inside === void 0) throw new TypeError('Give a "catalog".');
  return inside;
}
function adopt(catalog, next) {
  openCatalog(catalog).book = findBook(next);
}
function openBook(given, origin) {
  const snapshot = Object(typeof given === "string" ? parsed(given) : given);
  const { format, format_version, resources, resource_count, generated_at, as_of } = snapshot;
  const byId = /* @__PURE__ */ new Map();
  if (format !== "ratecard-snapshot" || !Array.isArray(resources))
    throw new CatalogError("This is no snapshot of Ratecard.");
  if (format_version !== 1)
    throw new CatalogError(
      `The form of the snapshot is ${String(format_version)}, and not 1: update @ratecard/cost.`
    );
  for (const record of resources)
    if (typeof record?.resource_id === "string") byId.set(record.resource_id, record);
  const momentMs = Date.parse(as_of ?? generated_at);
  if (byId.size !== resource_count || resources.length !== resource_count || Number.isNaN(momentMs))
    throw new CatalogError(
      `The snapshot is damaged: load it again (${byId.size} resource_ids of ${resource_count}, ${generated_at}).`
    );
  return { snapshot, origin, momentMs, byId };
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CatalogError("The snapshot is no whole JSON.", { cause });
  }
}

// ../../packages/contract/src/decimal.js
var decimal = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;
function parseExact(text) {
  const match = decimal.exec(text);
  if (!match) throw new RangeError(`Not a decimal: ${text.slice(0, 40)}`);
  const [, whole = "", part = "", power = "0"] = match;
  const scale = part.length - Number(power);
  const units = BigInt(whole + part);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}
function formatExact({ units, scale }) {
  const digits2 = `${units}`;
  const point = digits2.length - scale;
  let end = digits2.length;
  while (end > point && digits2.charCodeAt(end - 1) === 48) end -= 1;
  if (end <= 0) return "0";
  if (point <= 0) return (heads[-point] ?? "0.".padEnd(2 - point, "0")) + digits2.slice(0, end);
  const whole = digits2.slice(0, point);
  return end === point ? whole : `${whole}.${digits2.slice(point, end)}`;
}
var heads = ["0.", "0.0", "0.00", "0.000", "0.0000", "0.00000"];

// ../../packages/cost/src/exact.ts
var one = { units: 1, scale: 0 };
var zero = { units: 0, scale: 0 };
var charsMax = 200;
var unitsMax = 10n ** 200n;
function exactDecimal(text) {
  if (typeof text !== "string" || text.length > charsMax) throw new RangeError("Not a decimal");
  const { units, scale } = parseExact(text);
  if (scale > charsMax || units > unitsMax) throw new RangeError("Not a decimal");
  return { units: units <= Number.MAX_SAFE_INTEGER ? Number(units) : units, scale };
}
function exactCount(count) {
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0)
    return { units: count, scale: 0 };
  if (typeof count === "bigint" && count >= 0n && count < 10n ** 30n) return { units: count, scale: 0 };
  const text = typeof count === "number" ? String(count) : count;
  try {
    return exactDecimal(text);
  } catch {
    const said = typeof count === "string" ? JSON.stringify(count) : String(count);
    throw new RangeError(`${said.slice(0, 40)} is no count: it is a number of 0 or more`);
  }
}
function product(a, b) {
  const fast = Number(a) * Number(b);
  return fast <= Number.MAX_SAFE_INTEGER ? fast : BigInt(a) * BigInt(b);
}
function sum(a, b) {
  const fast = Number(a) + Number(b);
  return fast <= Number.MAX_SAFE_INTEGER ? fast : BigInt(a) + BigInt(b);
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
  const units = BigInt(product(a.units, tenTo(restScale)));
  return { units: (2n * units + divisor) / (2n * divisor), scale: a.scale + restScale };
}
function perMillion({ units, scale }) {
  return { units, scale: scale + 6 };
}
function isAbove(a, b) {
  return product(a.units, tenTo(b.scale)) > product(b.units, tenTo(a.scale));
}
function formatDecimal(exact) {
  return exact.scale === 0 ? String(exact.units) : formatExact(exact);
}
var powers = [];
function tenTo(power) {
  return powers[power] ??= power < 16 ? 10 ** power : 10n ** BigInt(power);
}

// ../../packages/cost/src/counts.ts
var itemsMax = 200;
function listItems(usage) {
  const { counts } = Object(usage);
  if (typeof counts !== "object" || counts === null)
    throw new UsageError('No "counts": read the answer by @ratecard/cost/readers.');
  const items = [];
  for (const meter in counts) {
    const stated = counts[meter];
    if (typeof stated !== "object" || stated === null) add(items, meter, null, stated);
    else for (const variant in stated) add(items, meter, normalVariant(meter, variant), stated[variant]);
  }
  if (items.length > itemsMax) throw new UsageError(`A usage has at most ${itemsMax} counts.`);
  return items;
}
function add(items, meter, variant, stated) {
  if (stated === void 0 || stated === 0) return;
  const count = parseCount(stated, meter);
  if (count.units) items.push({ meter, variant, count });
}
function countRequests({ requests }) {
  if (requests === void 0 || requests === null) return 1;
  if (!Number.isSafeInteger(requests) || requests < 1)
    throw new UsageError('"requests" is a whole number of 1 or more.');
  return requests;
}
function asBilled(items, { rates }, requests) {
  const least = requests === 1 ? rates.get(leastSeconds)?.[0]?.perOne : void 0;
  const timed = least === void 0 ? items : items.map(
    (item) => item.meter.endsWith("_audio_seconds") && isAbove(least, item.count) ? { ...item, count: least } : item
  );
  if (!rates.has("requests") || items.length === 0) return timed;
  if (items.some(({ meter }) => meter === "requests")) return timed;
  return [...timed, { meter: "requests", variant: null, count: { units: requests, scale: 0 } }];
}
var leastSeconds = "least_seconds";
function normalVariant(meter, variant) {
  return variant === "" || variant === "5m" && meter.startsWith("cache_write") ? null : variant;
}
function parseCount(count, meter) {
  try {
    return exactCount(count);
  } catch (error) {
    throw new UsageError(`counts.${meter.slice(0, 60)}: ${error.message}.`);
  }
}

// ../../packages/cost/src/lists.ts
function addTo(lists, key2, value) {
  const known = lists.get(key2);
  if (known === void 0) lists.set(key2, [value]);
  else if (!known.includes(value)) known.push(value);
}

// ../../packages/cost/src/unit.ts
var doubtMeter = "vendor_rule";

// ../../packages/cost/src/card.ts
var columns = [
  ["input_per_mtok", "input_tokens", "1m_tokens"],
  ["output_per_mtok", "output_tokens", "1m_tokens"],
  ["cached_input_per_mtok", "cached_input_tokens", "1m_tokens"],
  ["image_per_unit", "output_images", "image"],
  ["audio_per_min", "audio_minutes", "minute"],
  ["video_per_sec", "output_video_seconds", "second"]
];
var cards = /* @__PURE__ */ new WeakMap();
function lookUpCard(record) {
  let card = cards.get(record);
  if (card === void 0) cards.set(record, card = makeCard(record));
  return card;
}
function makeCard(record, begun = []) {
  const rates = /* @__PURE__ */ new Map();
  const moved = /* @__PURE__ */ new Set();
  for (const [field, meter, unit] of columns) {
    const later = begun.findLast((amounts2) => amounts2[field] !== null)?.[field] ?? null;
    if (later !== null && later !== record[field]) moved.add(meter);
    const amount = later ?? record[field];
    if (amount !== null)
      addTo(rates, meter, { ...plainRate, meter, unit, amount, perOne: divideByUnit(amount, unit) });
  }
  const thresholds = /* @__PURE__ */ new Set();
  const multipliers = /* @__PURE__ */ new Map();
  const open = /* @__PURE__ */ new Set();
  for (const { meter, unit, amount, service_tier, variant, threshold, hours } of record.rates ?? []) {
    if (meter === doubtMeter) {
      open.add(variant);
      continue;
    }
    if (meter === "price_multiplier") {
      if (variant !== null) multipliers.set(variant, amount);
      continue;
    }
    if (moved.size > 0 && (moved.has(meter) || unit === "1m_tokens")) continue;
    const perOne = divideByUnit(amount, unit);
    addTo(rates, meter, { meter, unit, amount, perOne, tier: service_tier, variant, threshold, hours });
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
function divideByUnit(amount, unit) {
  const exact = exactDecimal(amount);
  return unit.startsWith("1m_") ? perMillion(exact) : exact;
}

// ../../packages/cost/src/threshold.ts
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
  for (const { count } of items) sum2 = plus(sum2, count);
  return sum2;
}
function isPrompt({ meter }) {
  return /^(?:(?:cached_)?input|cache_write)_.*tokens$/.test(meter);
}
function isReachedAt(platform) {
  if (platform === "xai") return true;
  return /^(?:openai|azure|google|vertex_ai|anthropic|bedrock)$/.test(platform ?? "") ? false : null;
}

// ../../packages/cost/src/pick-rate.ts
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
  if (all[0]?.own === "always") return { rate: own2[0] ?? all[0], multiplier: null };
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
  const regional = region === null ? null : ofVariant(rates, variant, region, conditions);
  const rate = regional && "amount" in regional ? regional : ofVariant(rates, variant, null, conditions);
  if ("reason" in rate) return rate;
  if (region === null || isOfRegion2 || rate === regional || isFee(rate)) return { rate, multiplier };
  const uplift = card.multipliers.get(region) ?? (region === "global" ? void 0 : card.multipliers.get("regional"));
  if (uplift === void 0) return no("no_rate_for_region", region);
  const both = multiplier === null ? uplift : formatDecimal(times(exactDecimal(uplift), exactDecimal(multiplier)));
  return { rate, multiplier: both };
}
function ofVariant(rates, variant, region, conditions) {
  const wanted = [variant, region].filter((part) => part !== null).join("/") || null;
  let kind = rates.filter((rate) => rate.variant === wanted);
  if (kind.length === 0 && wanted === null) kind = whereKindsAgree(rates);
  if (kind.length === 0) return no("no_rate_for_variant", wanted ?? "");
  if (wanted === null && rates.some((rate) => isOtherImage(rate, kind))) return no("no_rate_for_variant");
  return atLength(kind, conditions);
}
function whereKindsAgree(rates) {
  const sizes = rates.filter(({ variant }) => /^(?:low|medium|high)$/.test(variant ?? ""));
  const [first] = sizes;
  const agree = sizes.every(({ amount, threshold, hours }) => {
    return amount === first?.amount && threshold === null && hours === null;
  });
  return agree && first ? [first] : [];
}
function isOtherImage({ unit, variant, amount }, plain) {
  return unit === "image" && variant !== null && plain.every((rate) => rate.amount !== amount);
}
function atLength(rates, conditions) {
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
  return atHour(best, conditions);
}
function atHour(rates, { minute }) {
  const bands = rates.filter((rate) => rate.hours !== null);
  if (bands.length > 0 && minute === null) return no("time_needed", bands[0].hours);
  return bands.find(({ hours }) => isWithin(hours, minute)) ?? rates.find(({ hours }) => hours === null) ?? no("no_rate");
}
function isWithin(hours, minute) {
  const [, h1 = "", m1 = "", h2 = "", m2 = ""] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(hours) ?? [];
  const [start, end] = [60 * Number(h1) + Number(m1), 60 * Number(h2) + Number(m2)];
  if (minute < 0) return false;
  return start < end ? start <= minute && minute < end : minute >= start || minute < end;
}

// ../../packages/cost/src/line.ts
function lookUpPrice(item, context) {
  const { card, conditions, multiplier } = context;
  const { tier, region, isOfRegion: isOfRegion2, threshold } = conditions;
  const isStandard = tier === null && threshold === null && multiplier === void 0 && !card.hasHours && (region === null || isOfRegion2);
  const memory = isStandard ? card.standard : void 0;
  const { meter, variant } = item;
  const key2 = variant === null ? meter : `${meter} ${variant}`;
  let price = memory?.get(key2);
  if (price === void 0) {
    price = findPrice(item, context);
    if ("rate" in price) memory?.set(key2, price);
  }
  return price;
}
function findPrice(item, context) {
  const { record, card, conditions, multiplier } = context;
  const isSeconds = item.meter.endsWith("_audio_seconds") && !card.rates.has(item.meter);
  const meter = isSeconds ? item.meter.replace(/seconds$/, "minutes") : item.meter;
  const picked = pickRate(card, meter, item.variant, conditions, record.modality);
  if ("reason" in picked) return refusal(item, picked, context);
  const { rate: listed, billedAs } = picked;
  const { unit, tier, threshold, hours } = listed;
  const factor = findFactor(listed.own ? void 0 : multiplier, picked.multiplier);
  const rate = factor === one ? listed.amount : formatDecimal(times(exactDecimal(listed.amount), factor));
  return {
    unit,
    rate,
    listRate: listed.own ? null : listed.amount,
    multiplier: formatDecimal(factor),
    tier: tier ?? conditions.tier,
    threshold,
    hours,
    billedAs,
    resourceId: record.resource_id,
    perOne: divideByUnit(rate, unit),
    isSeconds
  };
}
function computeAmount(count, { perOne, isSeconds }) {
  const product2 = times(count, perOne);
  return isSeconds ? over(product2, 60n) : product2;
}
function findFactor(own2, ofCard) {
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
  const advice = condition === "unknown" ? 'Say how long it lives: give "cacheTtl".' : `${why === "unknown_count" ? "Update @ratecard/cost" : "Load a newer one"}, or give it a rate in "overrides".`;
  return {
    reason: why,
    message: `The catalog has ${why.replaceAll("_", " ")}${condition && ` "${condition}"`}: ${what}. ${advice}`
  };
}

// ../../packages/cost/src/moment.ts
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
  let isAssumed = false;
  if (atMs !== null) {
    const before = record.past?.find(({ ended_on }) => atMs < Date.parse(ended_on));
    if (before !== void 0) return { card: makeCard({ ...record, ...before }), isAssumed };
    if (atMs < findBook(catalog).momentMs) {
      const { ms, isChange } = lookUpSince(record);
      isAssumed = atMs < ms;
      if (isAssumed && isChange) return new Date(ms).toISOString().slice(0, 10);
    }
    const begun = record.announced?.filter(({ starts_on }) => Date.parse(starts_on) <= atMs);
    if (begun?.length) return { card: makeCard(record, begun), isAssumed };
  }
  return { card: lookUpCard(record), isAssumed };
}
var starts = /* @__PURE__ */ new WeakMap();
function lookUpSince(record) {
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

// ../../packages/cost/src/names.ts
var services = [
  ["azure", /^(?:azure[_-]openai|az(?:ure)?\.ai\.openai)$/],
  ["azure_ai", /^(?:azure[_-]ai|az(?:ure)?\.ai\.inference)$/],
  // Amazon's newer endpoint. Lists write ids of the older one without a prefix, so only what they write with it is its own.
  ["bedrock_mantle", /^bedrock_mantle$/]
];
function findService(name) {
  const lower = name.toLowerCase();
  return services.find(([, names2]) => names2.test(lower))?.[0];
}
var serviceNames = new Set(services.map(([service]) => service));
var platforms = [
  [/^(?:amazon-|aws\.)?bedrock(?:_converse|_mantle)?$/, "bedrock"],
  [/^(?:azure[_-](?:ai|openai)|az(?:ure)?\.ai\.(?:openai|inference))$/, "azure"],
  [/^(?:google[.-]|gcp\.)?vertex(?:[_-]ai(?:_beta)?)?$/, "vertex_ai"],
  [/^(?:gcp\.)?gemini$|^google\.generative-ai$/, "google"],
  [/^x[_-]ai$/, "xai"],
  [/^(mistral|together|fireworks|moonshot)[_-]?ai$/, "$1"],
  [/^cohere_chat$/, "cohere"]
];
function findPlatform(name) {
  const lower = name.toLowerCase();
  const found = platforms.find(([names2]) => names2.test(lower));
  return found ? lower.replace(...found) : lower;
}
var ornaments = [
  // Claude Code marks the long context so, and Vertex AI the version that it serves; neither is part of the name.
  [/^(?<id>.+)(?:\[1m\]|@default)$/i],
  // Gemini's API.
  [/^models\/(?<id>[^/]+)$/],
  // Vertex AI's resource names.
  [
    /^(?:projects\/[^/]+\/locations\/(?<region>[^/]+)\/)?publishers\/[^/]+\/models\/(?<id>[^/:]+)(?::\w+)?$/,
    "vertex_ai"
  ],
  // Amazon's resource names: models and the profiles that AWS makes. A profile of one's own hides what is behind it. A model
  // is billed in its region, in the governments' and the Chinese cloud as well; a profile by where it may lead.
  [/^arn:aws:bedrock:[\w-]*:\d*:inference-profile\/(?<id>.+)$/, "bedrock"],
  [
    /^arn:aws(?!:.*:inference-profile)(?:-(?<cloud>[\w-]+))?:bedrock:(?<region>[\w-]*):\d*:(?:foundation-model|inference-profile)\/(?<id>.+)$/,
    "bedrock"
  ],
  // Profiles of a geography: `eu.amazon.nova-lite-v1:0`. The government's is another cloud.
  [/^(?<profile>us|eu|apac|au|jp|ca|in|global)\.(?<id>[a-z]\w*\.\S+)$/, "bedrock"],
  // LiteLLM's routes of Bedrock, and its regions.
  [/^bedrock\/(?:(?:converse|invoke)\/)?(?:(?<region>[a-z]{2}(?:-gov)?-[a-z]+-\d)\/)?(?<id>.+)$/, "bedrock"],
  // LiteLLM's deployments of Azure: a data zone, or the whole world.
  [/^azure\/(?:(?<region>us|eu)|global(?:-standard)?)\/(?<id>.+)$/, "azure"],
  // OpenAI's fine-tuned models: the model, then the owner's own names. They cost other than the model.
  [/^(?<id>ft:[^:]+):.*$/],
  [/^accounts\/fireworks\/(?:models|routers)\/(?<id>.+)$/, "fireworks"]
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
  for (const [around, platform2 = reading.platform] of ornaments) {
    const { id, region, cloud, profile } = around.exec(reading.id)?.groups ?? {};
    if (id === void 0) continue;
    const stated = region || cloud || profile || reading.region;
    found.push({
      ...reading,
      platform: platform2,
      id,
      region: stated,
      isProfile: reading.isProfile || profile !== void 0
    });
  }
  const [, prefix = "", rest = ""] = /^([^/]+)\/(.+)$/s.exec(reading.id) ?? [];
  const platform = findPlatform(prefix);
  const fits = reading.platform === null || reading.platform === platform;
  if (rest !== "" && fits && isPlatform(platform))
    found.push({ ...reading, platform, id: rest, service: findService(prefix) ?? reading.service });
  return found;
}
var date = /[-@]20\d{2}(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/;
function withoutDate(id) {
  return date.test(id) && id.replace(date, "") || null;
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

// ../../packages/cost/src/candidates.ts
var candidatesMax = 5;
function candidatesFor(name, platform, { snapshot }) {
  const words = splitWords(name);
  const scored = snapshot.resources.flatMap(({ resource_id: id, platform: own2 }) => {
    const its = splitWords(id.slice(id.indexOf(":") + 1));
    const shared = [...words].filter((word) => its.has(word)).length;
    const score = shared - (its.size - shared) / 10 - (platform !== null && own2 !== platform ? 1 : 0);
    return 2 * shared > words.size ? { id, score } : [];
  });
  return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, candidatesMax).map(({ id }) => id);
}
function splitWords(text) {
  return new Set(text.toLowerCase().match(/[a-z]+|\d+/g) ?? []);
}

// ../../packages/cost/src/name-index.ts
var listId = (record, see) => see(findId(record));
var listAnyCase = (record, see) => see(findId(record).toLowerCase());
var listAliases = (record, see) => {
  for (const { key: key2, resource_id } of record.aliases ?? []) {
    see(key2);
    see(resource_id);
    see(findId(record, resource_id));
  }
};
var walksMax = 4;
var NameIndex = class {
  /** Platforms of the catalog. */
  platforms = /* @__PURE__ */ new Set();
  #records;
  #lists = /* @__PURE__ */ new Map();
  #walks = 0;
  #products;
  /** The day of the catalog, as `YYYYMMDD`. */
  day;
  constructor({ snapshot: { resources: records, as_of, generated_at } }) {
    this.#records = records;
    this.day = (as_of ?? generated_at).slice(0, 10).replace(/\D/g, "");
    for (const { platform } of records) if (platform !== null) this.platforms.add(platform);
  }
  /** Records whose platform uses this id. */
  ids(reading) {
    return this.#withNewer(reading, this.#find(listId, reading));
  }
  /** Records that a source lists under this name. */
  aliases(reading) {
    const listed = this.#find(listAliases, reading);
    return this.#withNewer(
      reading,
      listed.filter((record) => !isContradicted(reading.id, findId(record), record.region))
    );
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
    const names2 = [record.resource_id, ...(record.aliases ?? []).map(({ resource_id }) => resource_id)];
    const day = record.effective_at?.slice(2, 10).replaceAll("-", "") ?? "";
    const newest = [...names2.map(findState), day].sort().at(-1);
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
    const found = (byName.get(name) ?? []).flatMap((product2) => on(platform, records.get(product2)));
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
    return this.#find(listAnyCase, { ...reading, id: reading.id.toLowerCase() });
  }
  /** Records under the name that the reading has, of its platform and service. */
  #find(list, reading) {
    let names2 = this.#lists.get(list);
    if (names2 === void 0) {
      const found = names2 = /* @__PURE__ */ new Map();
      const isKept = (this.#walks += 1) > walksMax;
      for (const record of this.#records)
        list(record, (name) => (isKept || name === reading.id) && addTo(found, name, record));
      if (isKept) this.#lists.set(list, found);
    }
    return on(reading.platform, names2.get(reading.id)).filter((record) => isOfService(record, reading));
  }
  /** Records of the same platform and region that are dated snapshots of this one. */
  findSnapshots(record) {
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
function findId({ resource_id, platform, region }, id = resource_id) {
  const head = platform === null ? "" : region === null ? `${platform}:` : `${platform}:${region}:`;
  return id.startsWith(head) ? id.slice(head.length) : id;
}
function productNames(all) {
  const byName = /* @__PURE__ */ new Map();
  const records = /* @__PURE__ */ new Map();
  const named2 = /* @__PURE__ */ new Map();
  for (const record of all) {
    const { product_id, aliases = [] } = record;
    if (product_id === null) continue;
    addTo(records, product_id, record);
    const models = aliases.map(({ model_name }) => model_name);
    for (const model of models) addTo(named2, model, record);
    for (const name of [product_id, product_id.slice(product_id.indexOf("/") + 1), ...models])
      addTo(byName, name, product_id);
  }
  return { byName, records, named: named2 };
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

// ../../packages/cost/src/resolve.ts
function resolve(name, { catalog, platform, region, deployments }) {
  const book = findBook(catalog);
  if (deployments !== void 0 && Object.hasOwn(deployments, name)) {
    const target = String(deployments[name]);
    const found = remembered(book, target, platform, region);
    return found.isResolved ? { ...found, rule: "deployment", steps: [name, ...found.steps] } : found;
  }
  return remembered(book, name, platform, region);
}
var memories = /* @__PURE__ */ new WeakMap();
function lookUpMemory(book) {
  let memory = memories.get(book);
  if (memory === void 0) memories.set(book, memory = { index: new NameIndex(book), known: /* @__PURE__ */ new Map() });
  return memory;
}
var rememberedMax = 5e3;
var nameCharsMax = 512;
function remembered(book, name, platform = "", region = "") {
  const { known, index } = lookUpMemory(book);
  const where = region === "" ? platform : `${platform} ${region}`;
  let names2 = known.get(where);
  let resolution = names2?.get(name);
  if (resolution !== void 0) return resolution;
  resolution = Object.freeze(find(book, index, name, platform, region));
  if (names2 === void 0) {
    if (known.size >= rememberedMax / 50) known.clear();
    known.set(where, names2 = /* @__PURE__ */ new Map());
  }
  if (names2.size >= rememberedMax) names2.clear();
  names2.set(name, resolution);
  return resolution;
}
function find(book, index, name, platformGiven, regionGiven) {
  if (typeof name !== "string" || name === "") return miss("Name the model.", []);
  if (name.length > nameCharsMax) return miss(`A name has at most ${nameCharsMax} characters.`, []);
  const platform = platformGiven === "" ? null : findPlatform(platformGiven);
  const exact = book.byId.get(name);
  if (exact !== void 0 && (platform === null || exact.platform === platform))
    return { isResolved: true, record: exact, rule: "resource_id", steps: [name], region: null };
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
var ways = [
  // As it is: the platform's own id and a published alias are equally sure, and may disagree.
  (index, [plain], name) => [
    ...matches(index.ids(plain), "platform_id", name),
    ...matches(index.aliases(plain), "alias", name),
    ...plain.platform === null ? bySpelling(index, index.prefixed(name), name) : []
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
    const others = index.findSnapshots(record);
    return others.every((other) => isSamePrice(record, other)) ? matches([record], "date", name, { ...reading, id: bare }) : [];
  });
}
function chosen(found, region) {
  const byId = /* @__PURE__ */ new Map();
  for (const match of found)
    if (!byId.has(match.record.resource_id)) byId.set(match.record.resource_id, match);
  const all = [...byId.values()];
  const own2 = all.filter(({ record }) => record.platform === record.vendor);
  if (region === null && own2.length > 0 && own2.length < all.length)
    return { ...chosen(own2, null), isPlatformAssumed: true };
  const wanted = all.filter(({ record, region: stated }) => isOfRegion(record, region ?? stated));
  const general = all.filter(({ record }) => record.region === null);
  const left = wanted.length > 0 ? wanted : general.length > 0 ? general : all;
  const [first, ...others] = left.sort(
    (a, b) => (b.record.rates?.length ?? 0) - (a.record.rates?.length ?? 0)
  );
  const isOne = others.every(
    ({ record }) => record.platform === first.record.platform && isSamePrice(first.record, record)
  );
  if (isOne) return { isResolved: true, ...first };
  const ids = left.map(({ record }) => record.resource_id).sort();
  return {
    isResolved: false,
    reason: "ambiguous",
    candidates: ids.slice(0, candidatesMax2),
    message: `It means ${ids.length} records with different prices: name one, or the "platform" or "region".`
  };
}
var candidatesMax2 = 20;
function isOfRegion({ region: own2, platform }, region) {
  if (own2 === null) return region === null || isListRegion(platform, region);
  const lower = own2.toLowerCase();
  if (lower === "regional" && region !== null)
    return /^(?:us|eu|apac|au|jp|ca|in|(?!cn)[a-z]{2}-(?!gov)[a-z]+-\d)$/.test(region);
  return lower === region;
}
function isListRegion(platform, region) {
  return region === "global" || platform === "bedrock" && /^us(?:-(?:east|west)-\d)?$/.test(region);
}
function miss(message, candidates) {
  return { isResolved: false, reason: "unknown", candidates, message };
}

// ../../packages/cost/src/cost-of.ts
function costOf(usage, options) {
  const { catalog, overrides } = options;
  const book = findBook(catalog);
  const items = listItems(usage);
  const requests = countRequests(usage);
  const atMs = toMoment(options.at ?? usage.at);
  const name = options.model ?? usage.model;
  const platform = options.platform ?? usage.platform;
  const given = named(options.region ?? usage.region);
  const { deployments } = options;
  let resolution = name === void 0 ? null : resolve(name, { catalog, platform, region: given ?? void 0, deployments });
  const own2 = resolution && overrides?.layFor(name, platform, resolution);
  if (own2) ({ resolution } = own2);
  const record = resolution?.isResolved ? resolution.record : null;
  const region = given ?? (resolution?.isResolved ? resolution.region : null);
  const lines = [];
  const unpriced = [];
  let sum2 = zero;
  const found = findCard(resolution, atMs, catalog);
  const listed = "reason" in found ? null : found.card;
  const card = listed && own2 ? own2.layOver(listed) : listed;
  const context = record && card && {
    record,
    card,
    conditions: {
      tier: named(options.tier ?? usage.tier),
      region,
      isOfRegion: isOfRegion(record, region),
      threshold: requests === 1 && card.thresholds.length > 0 ? thresholdPassed(card, record.platform, items) : null,
      minute: atMs === null ? null : findMinute(atMs, card.rates.has("week_hours"))
    },
    multiplier: own2?.multiplier
  };
  const billed = card === null ? items : asBilled(items, card, requests);
  for (const item of billed) {
    const price = context === null ? found : lookUpPrice(item, context);
    const { meter, variant } = item;
    const count = formatDecimal(item.count);
    if ("reason" in price) unpriced.push({ meter, variant, count, ...price });
    else {
      const amount = computeAmount(item.count, price);
      lines.push({
        meter,
        variant,
        count,
        unit: price.unit,
        rate: price.rate,
        amount: formatDecimal(amount),
        listRate: price.listRate,
        multiplier: price.multiplier,
        tier: price.tier,
        threshold: price.threshold,
        hours: price.hours,
        billedAs: price.billedAs,
        resourceId: price.resourceId,
        catalogVersion: book.snapshot.catalog_version
      });
      sum2 = plus(sum2, amount);
    }
  }
  const cost = {
    lines,
    currency: record?.currency ?? null,
    resourceId: record?.resource_id ?? null,
    productId: record?.product_id ?? null,
    rule: resolution?.isResolved ? resolution.rule : null,
    candidates: resolution === null || resolution.isResolved ? [] : resolution.candidates,
    source: "catalog",
    reported: readReported(usage),
    catalog: catalog.stamp(),
    checkedOn: record?.checked_on ?? null,
    doubts: resolution?.isResolved && resolution.rule !== "override" ? listDoubts(resolution, found, billed, requests, atMs, book.momentMs) : [],
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
  if (record.currency === null) return { reason: "no_rate", message: "The catalog has no currency for it." };
  const then = cardAt(record, atMs, catalog);
  if (typeof then !== "string") return then;
  return {
    reason: "before_history",
    message: `The price of ${record.resource_id} changed on ${then}: load a catalog of before.`
  };
}
function named(name) {
  const lower = name?.toLowerCase();
  return !lower || /^(?:standard|default|on_demand|not_available)$/.test(lower) ? null : lower;
}
function readReported({ reported }) {
  if (!reported) return null;
  return { amount: formatDecimal(exactDecimal(reported.amount)), currency: reported.currency };
}
function listDoubts({ record, isPlatformAssumed }, found, items, requests, atMs, momentMs) {
  const doubts = isPlatformAssumed ? ["platform_assumed"] : [];
  if ("card" in found) {
    const { open, thresholds, rates } = found.card;
    if (requests > 1 && (thresholds.length > 0 || rates.has(leastSeconds))) doubts.push("sum_of_requests");
    if (found.isAssumed) doubts.push("price_assumed");
    const ended = record.ended_on ?? record.retires_on;
    if (ended != null && Date.parse(ended) <= (atMs ?? momentMs)) doubts.push("price_ended");
    if (open.size > 0 && items.some(({ meter }) => open.has(meter))) doubts.push("vendor_rule");
  }
  if (record.rates === null) doubts.push("no_rate_cards");
  if (record.is_confirmed === false) doubts.push("not_confirmed");
  if (record.gone_since != null) doubts.push("gone");
  const { checked_on } = record;
  if (atMs !== null && atMs > (checked_on == null ? momentMs : Date.parse(checked_on)) + freshMs)
    doubts.push("catalog_older_than_use");
  return doubts;
}
var freshMs = 90 * 864e5;

// ../../packages/cost/src/prices-in.ts
function pricesIn(region, record, told) {
  if (region === null || isOfRegion(record, region)) return record;
  const found = columns.flatMap(([field, meter]) => {
    const [line] = costOf({ counts: { [meter]: 1 } }, told).lines;
    return line === void 0 ? [] : [[field, line.rate]];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

// ../../packages/cost/src/drift.ts
var fields = [
  "input_per_mtok",
  "output_per_mtok",
  "cached_input_per_mtok"
];
function findDrift(rows, catalog) {
  const found = rows.map((row) => compareRow(row, catalog));
  const unknown = found.filter(({ isKnown }) => !isKnown).map(({ name }) => name);
  return { compared: rows.length - unknown.length, wrong: found.flatMap(({ wrong }) => wrong), unknown };
}
function compareRow({ name, platform, amounts: amounts2 }, catalog) {
  const resolution = resolve(name, { catalog, platform });
  if (!resolution.isResolved) return { name, isKnown: false, wrong: [] };
  const { record, region } = resolution;
  const prices = pricesIn(region, record, { catalog, platform, model: name });
  if (prices === null) return { name, isKnown: false, wrong: [] };
  const wrong = fields.flatMap((field) => {
    const [yours, served] = [amounts2[field], prices[field]];
    if (yours === void 0 || served == null || isNear(exactDecimal(yours), exactDecimal(served))) return [];
    return [
      { name, resource_id: record.resource_id, field, yours: formatDecimal(exactDecimal(yours)), served }
    ];
  });
  return { name, isKnown: true, wrong };
}
var nearness = { units: 5n, scale: 3 };
function isNear(a, b) {
  const reach = times(b, nearness);
  return !isAbove(a, plus(b, reach)) && !isAbove(b, plus(a, reach));
}
function rowsIn(document) {
  const { format, resources } = Object(document);
  if (format === "ratecard-snapshot" && Array.isArray(resources)) {
    return resources.map((record) => ({
      name: record.resource_id,
      amounts: Object.fromEntries(
        fields.flatMap((field) => record[field] === null ? [] : [[field, record[field]]])
      )
    }));
  }
  return Object.entries(Object(document)).flatMap(([name, row]) => liteLlmRow(name, row));
}
var perToken = {
  input_per_mtok: "input_cost_per_token",
  output_per_mtok: "output_cost_per_token",
  cached_input_per_mtok: "cache_read_input_token_cost"
};
function liteLlmRow(name, row) {
  const stated = Object(row);
  const platform = stated["litellm_provider"];
  if (typeof platform !== "string" || name === "sample_spec") return [];
  const amounts2 = {};
  for (const field of fields) {
    const amount = stated[perToken[field]];
    if (typeof amount === "number" && amount >= 0 && Number.isFinite(amount))
      amounts2[field] = formatDecimal(times(exactDecimal(String(amount)), { units: 1000000n, scale: 0 }));
  }
  return [{ name, platform: platform.replace(/^vertex_ai-.*$/, "vertex_ai"), amounts: amounts2 }];
}

// ../../packages/cost/src/own-fetch.ts
var dispatcherKey = /* @__PURE__ */ Symbol.for("undici.globalDispatcher.1");
var surroundings = globalThis;
var own = surroundings.fetch;
function findFetch() {
  const { fetch: fetch2, process: process4, [dispatcherKey]: dispatcher } = surroundings;
  const isUndici7 = process4?.versions.bun === void 0 && /^7\./.test(process4?.versions["undici"] ?? "");
  const isDirected = dispatcher !== void 0 && dispatcher.constructor.name !== "Agent";
  const builtin = process4?.getBuiltinModule;
  return isUndici7 && fetch2 === own && !isDirected && builtin !== void 0 ? fetchBy(builtin) : fetch2;
}
function fetchBy(builtin) {
  const [http, https] = [builtin("node:http"), builtin("node:https")];
  const [{ Readable, pipeline }, { createGunzip }] = [builtin("node:stream"), builtin("node:zlib")];
  return (url, { headers, signal }) => new Promise((resolve2, reject) => {
    const { get } = url.startsWith("https:") ? https : http;
    const asked = { "user-agent": "node", "accept-encoding": "gzip", ...headers };
    get(url, { headers: asked, signal }, (answer) => {
      const isPacked = answer.headers["content-encoding"] === "gzip";
      const body = isPacked ? pipeline(answer, createGunzip(), () => {
      }) : answer;
      resolve2({
        status: answer.statusCode ?? 0,
        headers: { get: (name) => answer.headers[name]?.toString() ?? null },
        body: Readable.toWeb(body),
        text: () => Promise.reject(new Error("The body is read as a stream."))
      });
    }).on("error", reject);
  });
}

// ../../packages/cost/src/refresh.ts
var hourMs = 36e5;
var timerMsMax = 2 ** 31 - 1;
var shareMin = 0.7;
async function refreshed(load, origin, { refreshMs = hourMs, onError = () => {
} }, fallback) {
  if (!(refreshMs >= 0))
    throw new TypeError('"refreshMs" is a number of milliseconds, or 0 for no refreshing.');
  const catalog = await loadFirst(load, origin, onError, fallback);
  let running;
  const look = async () => {
    const snapshot = await load();
    return snapshot !== null && take(catalog, snapshot, origin);
  };
  const refresh = () => running ??= look().finally(() => running = void 0);
  const timer = refreshMs === 0 ? void 0 : setInterval(() => void refresh().catch(onError), Math.min(refreshMs, timerMsMax));
  timer?.unref?.();
  const close = () => clearInterval(timer);
  return Object.defineProperties(catalog, {
    refresh: { value: refresh },
    close: { value: close }
  });
}
async function loadFirst(load, origin, onError, fallback) {
  try {
    const snapshot = await load();
    if (snapshot === null)
      throw new CatalogError("The source answers that nothing has moved, and nothing was there.");
    return new Catalog(snapshot, { origin });
  } catch (error) {
    if (fallback === void 0) throw error;
    onError(error);
    const { snapshot, origin: itsOrigin } = findBook(fallback);
    return new Catalog(snapshot, { origin: itsOrigin });
  }
}
function take(catalog, snapshot, origin) {
  const next = new Catalog(snapshot, { origin });
  const [before, now] = [catalog.stamp(), next.stamp()];
  if (before.origin !== now.origin) {
    adopt(catalog, next);
    return true;
  }
  if (next.size < catalog.size * shareMin)
    throw new CatalogError(
      `The new snapshot has ${next.size} records, and the one before had ${catalog.size}: it is not taken. If that is right, start anew.`
    );
  if (Date.parse(now.generatedAt) < Date.parse(before.generatedAt))
    throw new CatalogError("The new snapshot is older than the one that is there: it is not taken.");
  adopt(catalog, next);
  return before.version !== now.version;
}

// ../../packages/cost/src/from-url.ts
var timeoutMsUsual = 3e4;
var bytesMax = 64 * 2 ** 20;
var redirectsMax = 5;
function catalogFromUrl(url, options = {}) {
  const { timeoutMs: timeoutMs2 = timeoutMsUsual, integrity, fallback, fetch: fetch2 = findFetch() } = options;
  const address = String(url);
  let etag = null;
  const load = async () => {
    const headers = { accept: "application/json" };
    if (etag !== null) headers["if-none-match"] = etag;
    const signal = AbortSignal.timeout(timeoutMs2);
    const failed = (cause) => {
      throw cause instanceof CatalogError ? cause : new CatalogError(`${shown(address)} does not answer.`, { cause });
    };
    const answer = await follow(fetch2, address, { headers, signal }).catch(failed);
    if (answer.status !== 200) await drop(answer);
    if (answer.status === 304) return null;
    if (answer.status !== 200)
      throw new CatalogError(`${shown(address)} answers ${answer.status}, and no snapshot.`);
    const text = await readText(answer).catch(failed);
    if (text === null) throw new CatalogError(`${shown(address)} answers more than a snapshot has.`);
    if (integrity !== void 0) await checkDigest(text, integrity);
    const snapshot = parsed(text);
    etag = answer.headers.get("etag");
    return snapshot;
  };
  return refreshed(load, "url", options, fallback);
}
async function follow(fetch2, address, init) {
  let url = address;
  for (let count = 0; count <= redirectsMax; count += 1) {
    const answer = await fetch2(url, { ...init, redirect: "manual" });
    if (answer.type === "opaqueredirect") return fetch2(url, { ...init, redirect: "follow" });
    const location = answer.headers.get("location");
    if (answer.status < 300 || answer.status > 399 || location === null) return answer;
    await drop(answer);
    const next = new URL(location, url);
    if (new URL(url).protocol === "https:" && next.protocol !== "https:")
      throw new CatalogError(`${shown(address)} redirects from https to ${next.protocol.slice(0, -1)}.`);
    url = next.href;
  }
  throw new CatalogError(`${shown(address)} redirects more than ${redirectsMax} times.`);
}
function findReader({ body }) {
  return body?.getReader?.();
}
async function drop(answer) {
  await findReader(answer)?.cancel().catch(() => {
  });
}
async function readText(answer) {
  const reader = findReader(answer);
  if (reader === void 0) {
    const text = await answer.text();
    return text.length > bytesMax ? null : text;
  }
  const decoder = new TextDecoder();
  const parts = [];
  for (let left = bytesMax; ; ) {
    const { value } = await reader.read();
    if (value === void 0) return parts.join("") + decoder.decode();
    left -= value.byteLength;
    if (left < 0) {
      reader.cancel().catch(() => {
      });
      return null;
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}
async function checkDigest(text, integrity) {
  const [, wanted] = /^sha256-([A-Za-z0-9+/]{43}=)$/.exec(integrity) ?? [];
  if (wanted === void 0) throw new TypeError('"integrity" is "sha256-" and the digest in base64.');
  const digest = new Uint8Array(
    await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  );
  if (btoa(String.fromCharCode(...digest)) !== wanted)
    throw new CatalogError('The snapshot does not have the digest of "integrity": it is another one.');
}
function shown(address) {
  try {
    const { origin, pathname } = new URL(address);
    return origin + pathname;
  } catch {
    return "The address";
  }
}

// src/comment.ts
import { readFile } from "node:fs/promises";
import process2 from "node:process";

// src/runner.ts
import { appendFile } from "node:fs/promises";
import process from "node:process";
var { env } = process;
var StepError = class extends Error {
};
function readInput(name) {
  return (env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
}
function readLines(name) {
  return readInput(name).split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
}
function annotate(level, message, place) {
  const at = place === void 0 ? "" : ` file=${escapeProperty(place.file)},line=${place.line}`;
  process.stdout.write(`::${level}${at}::${escapeData(message)}
`);
}
function escapeData(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
function escapeProperty(text) {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
async function putOutputs(outputs) {
  const text = Object.entries(outputs).map(([name, value]) => `${name}=${value}
`);
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, text.join(""));
}
async function putSummary(markdown) {
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${markdown}
`);
}

// src/comment.ts
var pagesMax = 10;
var timeoutMs = 2e4;
async function comment(body, marker, isNeeded, token) {
  const number2 = await findPullRequest();
  if (number2 === null || token === "") return;
  const { GITHUB_API_URL = "https://api.github.com", GITHUB_REPOSITORY = "" } = process2.env;
  const repository = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`;
  const ask = createClient(token);
  try {
    const old = await findOwn(ask, `${repository}/issues/${number2}/comments`, marker);
    const text = JSON.stringify({ body: `${marker}
${body}` });
    if (old !== null) await ask(`${repository}/issues/comments/${old}`, "PATCH", text);
    else if (isNeeded) await ask(`${repository}/issues/${number2}/comments`, "POST", text);
  } catch (error) {
    const { message, cause } = error;
    const why = [401, 403, 404].includes(cause) ? `the token may not write (${cause}). Of a fork it never may; else give the job "permissions: pull-requests: write".` : `GitHub did not take it (${message}).`;
    annotate(
      "notice",
      `No comment was written on the pull request: ${why} The differences are in the summary.`
    );
  }
}
async function findPullRequest() {
  const path = process2.env.GITHUB_EVENT_PATH;
  if (!path) return null;
  const event = JSON.parse(await readFile(path, "utf8"));
  const number2 = event.pull_request?.number;
  return Number.isSafeInteger(number2) ? number2 : null;
}
function createClient(token) {
  return async (url, method = "GET", body) => {
    const answer = await fetch(url, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "user-agent": "ratecard-action",
        "x-github-api-version": "2022-11-28"
      },
      ...body !== void 0 && { body },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs)
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`, { cause: answer.status });
    return answer.json();
  };
}
async function findOwn(ask, url, marker) {
  let login;
  for (let page = 1; page <= pagesMax; page += 1) {
    const comments = await ask(`${url}?per_page=100&page=${page}`);
    for (const { id, body, user } of comments) {
      if (body?.startsWith(marker) !== true) continue;
      if (user?.type === "Bot") return id;
      login ??= await whose(ask);
      if (login !== "" && user?.login === login) return id;
    }
    if (comments.length < 100) break;
  }
  return null;
}
async function whose(ask) {
  const { GITHUB_API_URL = "https://api.github.com" } = process2.env;
  const user = await ask(`${GITHUB_API_URL}/user`).catch(() => null);
  return user?.login ?? "";
}

// src/files.ts
import { glob, lstat, readFile as readFile2, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
var filesMax = 5e3;
var bytesMax2 = 64 * 2 ** 20;
async function readFiles(root, globs, what) {
  const home = await realpath(root);
  const paths = /* @__PURE__ */ new Set();
  const exclude = (path) => /(?:^|[\\/])(?:node_modules|\.git)$/.test(path);
  for await (const path of glob([...globs], { cwd: home, exclude })) {
    paths.add(path.replaceAll(sep, "/"));
    if (paths.size > filesMax)
      throw new StepError(`"${what}" names more than ${filesMax} files: narrow its globs.`);
  }
  const files = [];
  let bytes = 0;
  for (const path of [...paths].sort()) {
    const found = await lstat(join(home, path));
    const isInside = await realpath(join(home, path)) === join(home, path);
    if (!found.isFile() || !isInside) continue;
    bytes += found.size;
    if (bytes > bytesMax2) throw new StepError(`"${what}" names more than 64 MB: narrow its globs.`);
    files.push({ path, text: await readFile2(join(home, path), "utf8") });
  }
  if (files.length === 0) throw new StepError(`"${what}" names no file of the repository.`);
  return files;
}

// src/pinned.ts
import { setImmediate } from "node:timers/promises";

// ../../packages/contract/src/wording.js
var language = "en-US";
var number = new Intl.NumberFormat(language);
var percent = new Intl.NumberFormat(language, {
  maximumFractionDigits: 1,
  maximumSignificantDigits: 2,
  roundingPriority: "morePrecision",
  signDisplay: "exceptZero"
});
function hasRetired(retiresOn, today = (/* @__PURE__ */ new Date()).toISOString().slice(0, 10)) {
  return retiresOn <= today;
}
function formatRetirement(retiresOn) {
  return `${hasRetired(retiresOn) ? "retired" : "retires"} on ${retiresOn}`;
}
var amounts = {
  input_per_mtok: { name: "Input", unit: "1m_tokens" },
  output_per_mtok: { name: "Output", unit: "1m_tokens" },
  cached_input_per_mtok: { name: "Cached input", unit: "1m_tokens" },
  image_per_unit: { name: "Image", unit: "image" },
  audio_per_min: { name: "Audio", unit: "minute" },
  video_per_sec: { name: "Video", unit: "second" }
};
var amountFields = (
  /** @type {AmountField[]} */
  Object.keys(amounts)
);
var digits = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 20 });

// src/pinned.ts
var names = /[A-Za-z0-9](?<=(?:["'`]|[:=]\s{0,80}).)(?=([\w.:/@-]{1,199}))\1(?=["'`]|\s{0,80}(?:#|,|$))/g;
async function findPins(files, models, mispriced, catalog) {
  const look = createLookUp(mispriced, catalog);
  const pins = models.flatMap((name) => look(name));
  for (const { path: file, text } of files) {
    await setImmediate();
    for (const [index, line] of text.split("\n").entries())
      for (const { 0: name, index: column } of line.matchAll(names)) {
        const found = look(name);
        if (found.length === 0 || isWord(name) && !saysModel(line.slice(0, column))) continue;
        pins.push(...found.map((pin) => ({ ...pin, place: { file, line: index + 1 } })));
      }
  }
  return pins;
}
function isWord(name) {
  return /^[a-z]+$/i.test(name);
}
function saysModel(before) {
  return /model\w*["'`]?\s*[:=(]\s*["'`]?$/i.test(before.slice(-100));
}
function createLookUp(mispriced, catalog) {
  const suspects = catalog.records().filter((record) => findEnd(record) !== null || mispriced.has(record.resource_id));
  const known = new Set(suspects.flatMap(listNames).flatMap(listTails));
  const seen = /* @__PURE__ */ new Map();
  return (name) => {
    let pins = seen.get(name);
    if (pins === void 0) {
      pins = listTails(name).some((tail) => known.has(tail)) ? judge(name, mispriced, catalog) : [];
      seen.set(name, pins);
    }
    return pins;
  };
}
function listNames({ resource_id, product_id, aliases = [] }) {
  return [resource_id, product_id ?? "", ...aliases.flatMap(({ key: key2, model_name }) => [key2, model_name])];
}
function listTails(name) {
  const lower = name.toLowerCase();
  return [lower, ...[...lower.matchAll(/[/:.]/g)].map(({ index }) => lower.slice(index + 1))].filter(
    (tail) => tail.length > 1
  );
}
function judge(name, mispriced, catalog) {
  const found = resolve(name, { catalog });
  if (!found.isResolved) return [];
  const { resource_id: resourceId } = found.record;
  const end = findEnd(found.record);
  return [
    ...end === null ? [] : [{ name, resourceId, ...end }],
    ...mispriced.has(resourceId) ? [{ name, resourceId, kind: "mispriced", says: "has a wrong amount in a price table" }] : []
  ];
}
function findEnd({ retires_on, ended_on, gone_since }) {
  if (retires_on != null && hasRetired(retires_on))
    return { kind: "retired", says: formatRetirement(retires_on) };
  if (gone_since != null) return { kind: "retired", says: `is on no list since ${gone_since.slice(0, 10)}` };
  const lastDay = ended_on?.slice(0, 10);
  if (lastDay !== void 0 && hasRetired(lastDay))
    return { kind: "retired", says: `has no price since ${lastDay}` };
  return retires_on == null ? null : { kind: "retiring", says: formatRetirement(retires_on) };
}

// src/report.ts
var charsMax2 = 6e4;
function writeReport({ compared, unknown, wrong, pins, version, generatedAt }) {
  const head = [
    "### Prices of AI models",
    `${compared} rows of price tables compared, ${wrong.length} amounts wrong, ${unknown} models unknown. ${pins.length} pinned models to look at. Prices of ${code(generatedAt)}, list ${code(version)}.`
  ].join("\n\n");
  const pinned = pins.map(
    (pin) => `| ${code(pin.name)} | ${pin.place ? code(`${pin.place.file}:${pin.place.line}`) : "input"} | ${pin.says} |`
  );
  const amounts2 = wrong.map(
    ({ name, place, field, yours, served }) => `| ${code(name)} | ${code(`${place.file}:${place.line}`)} | ${field} | ${yours} | ${served} |`
  );
  return [
    head,
    table("| Pinned model | Where | What |\n| --- | --- | --- |", pinned),
    table("| Row | Where | Amount | Yours | Served |\n| --- | --- | --- | ---: | ---: |", amounts2)
  ].filter(Boolean).join("\n\n");
}
function table(head, rows) {
  if (rows.length === 0) return "";
  let text = head;
  for (const [index, row] of rows.entries()) {
    if (text.length + row.length > charsMax2 / 2) return `${text}

And ${rows.length - index} more.`;
    text += `
${row}`;
  }
  return text;
}
function code(text) {
  return `\`${text.slice(0, 200).replaceAll(/[`|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD")}\``;
}

// src/main.ts
var stepMs = 5 * 6e4;
var annotationsMax = 50;
var reasons = ["retired", "mispriced", "drift"];
async function run() {
  const [tables, paths, models] = [readLines("table"), readLines("paths"), readLines("models")];
  const failOn = readFailOn();
  if (tables.length + paths.length + models.length === 0)
    throw new StepError('Nothing is to be compared: name "table", "paths" or "models".');
  const root = process3.env.GITHUB_WORKSPACE ?? process3.cwd();
  const catalog = await openCatalog2(readInput("server"));
  const findings = compareTables(tables.length > 0 ? await readFiles(root, tables, "table") : [], catalog);
  const files = paths.length > 0 ? await readFiles(root, paths, "paths") : [];
  findings.pins = await findPins(
    // A table names all models: it pins none.
    files,
    models,
    new Set(findings.wrong.map(({ resource_id }) => resource_id)),
    catalog
  );
  return tell(findings, failOn, [...tables, ...paths, ...models].join("\n"));
}
function readFailOn() {
  const words = readInput("fail-on").split(/[\s,]+/).filter(Boolean);
  const odd = words.find((word) => !reasons.includes(word));
  if (odd !== void 0) throw new StepError(`"fail-on" is of ${reasons.join(", ")}, and "${odd}" is none.`);
  return new Set(words);
}
async function openCatalog2(server) {
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new StepError('"server" is the address of a Ratecard: https://\u2026');
  return catalogFromUrl(new URL("/snapshot.json", server), { refreshMs: 0 });
}
function compareTables(files, catalog) {
  const { version, generatedAt } = catalog.stamp();
  const all = { compared: 0, unknown: 0, wrong: [], pins: [], version, generatedAt };
  for (const { path, text } of files) {
    const rows = rowsIn(parseTable(text, path));
    if (rows.length === 0) throw new StepError(`${path} is neither LiteLLM's map nor a snapshot.`);
    const { compared, wrong, unknown } = findDrift(rows, catalog);
    if (compared === 0) throw new StepError(`${path} names nothing that is served: nothing was compared.`);
    all.compared += compared;
    all.unknown += unknown.length;
    const lines = /* @__PURE__ */ new Map();
    for (const one2 of wrong) {
      const line = lines.get(one2.name) ?? findRow(text, one2.name, lines.size);
      lines.set(one2.name, line);
      all.wrong.push({ ...one2, place: { file: path, line } });
    }
  }
  return all;
}
function parseTable(text, path) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new StepError(`${path} is no JSON.`);
  }
}
function findRow(text, name, rowsFound) {
  if (rowsFound >= 500) return 1;
  const quoted = JSON.stringify(name);
  const found = [`${quoted}:`, `${quoted} :`, quoted].map((part) => text.indexOf(part)).find((at) => at >= 0);
  return text.slice(0, found ?? 0).split("\n").length;
}
async function tell(findings, failOn, about) {
  const { wrong, pins } = findings;
  const count = (kind) => pins.filter((pin) => pin.kind === kind).length;
  const pinned = { retired: count("retired"), mispriced: count("mispriced") };
  const counts = { ...pinned, drift: wrong.length };
  const isFailed = reasons.some((reason) => failOn.has(reason) && counts[reason] > 0);
  const fails = ({ kind }) => failOn.has(kind);
  for (const pin of pins.toSorted((a, b) => Number(fails(b)) - Number(fails(a))).slice(0, annotationsMax))
    annotate(fails(pin) ? "error" : "warning", `${pin.name} (${pin.resourceId}) ${pin.says}.`, pin.place);
  for (const { name, field, yours, served, place } of wrong.slice(0, annotationsMax))
    annotate(
      failOn.has("drift") ? "error" : "warning",
      `${name}: ${field} is ${yours}, and ${served} is served.`,
      place
    );
  const report = writeReport(findings);
  await putSummary(report);
  await putOutputs({ wrong: wrong.length, ...pinned, failed: isFailed });
  const marker = `<!-- ratecard-prices ${createHash("sha256").update(about).digest("hex").slice(0, 16)} -->`;
  await comment(report, marker, wrong.length + pins.length > 0, readInput("token"));
  return isFailed;
}
var late = setTimeout(() => {
  annotate("error", `The step was not done after ${stepMs / 6e4} minutes.`);
  process3.exit(1);
}, stepMs);
try {
  process3.exitCode = await run() ? 1 : 0;
} catch (error) {
  if (!(error instanceof StepError || error instanceof CatalogError)) throw error;
  annotate("error", `The prices were not compared: ${error.message}`);
  process3.exitCode = 1;
} finally {
  clearTimeout(late);
}
