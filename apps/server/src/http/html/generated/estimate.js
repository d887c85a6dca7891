// packages/contract/src/decimal.js
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
  const digits = `${units}`;
  const point = digits.length - scale;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  if (end <= 0) return "0";
  if (point <= 0) return (heads[-point] ?? "0.".padEnd(2 - point, "0")) + digits.slice(0, end);
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}
var heads = ["0.", "0.0", "0.00", "0.000", "0.0000", "0.00000"];
function aligned(a, b) {
  const [x, y] = [parseExact(a), parseExact(b)];
  const scale = Math.max(x.scale, y.scale);
  const toUnits = (one2) => one2.units * 10n ** BigInt(scale - one2.scale);
  return { x: toUnits(x), y: toUnits(y), scale };
}
function subtractDecimals(a, b) {
  const { x, y, scale } = aligned(a, b);
  if (y > x) throw new RangeError("The difference is negative.");
  return formatExact({ units: x - y, scale });
}
function multiplyDecimals(a, b) {
  const [x, y] = [parseExact(a), parseExact(b)];
  return formatExact({ units: x.units * y.units, scale: x.scale + y.scale });
}
function compareDecimals(a, b) {
  const { x, y } = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

// packages/cost/src/exact.ts
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

// packages/cost/src/lists.ts
function addTo(lists, key, value) {
  const known = lists.get(key);
  if (known === void 0) lists.set(key, [value]);
  else if (!known.includes(value)) known.push(value);
}

// packages/cost/src/unit.ts
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
function lookUpCard(record) {
  let card = cards.get(record);
  if (card === void 0) cards.set(record, card = makeCard(record));
  return card;
}
function makeCard(record, begun = []) {
  const rates = /* @__PURE__ */ new Map();
  const moved = /* @__PURE__ */ new Set();
  for (const [field, meter, unit] of columns) {
    const later = begun.findLast((amounts) => amounts[field] !== null)?.[field] ?? null;
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

// packages/cost/src/errors.ts
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

// packages/cost/src/counts.ts
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
  const own = all.filter((rate) => rate.tier === tier);
  if (all[0]?.own === "always") return { rate: own[0] ?? all[0], multiplier: null };
  if (own.length > 0) return inRegion(card, own, variant, conditions, null);
  if (tier === null) return no("no_rate_for_tier", "standard");
  const standard = all.filter((rate) => rate.tier === null);
  const isFees = standard.length > 0 && standard.every(isFee);
  const multiplier = isFees ? null : card.multipliers.get(tier) ?? null;
  if (multiplier !== null || isFees) return inRegion(card, standard, variant, conditions, multiplier);
  return no("no_rate_for_tier", tier);
}
function inRegion(card, rates, variant, conditions, multiplier) {
  const { region, isOfRegion } = conditions;
  const regional = region === null ? null : ofVariant(rates, variant, region, conditions);
  const rate = regional && "amount" in regional ? regional : ofVariant(rates, variant, null, conditions);
  if ("reason" in rate) return rate;
  if (region === null || isOfRegion || rate === regional || isFee(rate)) return { rate, multiplier };
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

// packages/cost/src/line.ts
function lookUpPrice(item, context) {
  const { card, conditions, multiplier } = context;
  const { tier, region, isOfRegion, threshold } = conditions;
  const isStandard = tier === null && threshold === null && multiplier === void 0 && !card.hasHours && (region === null || isOfRegion);
  const memory = isStandard ? card.standard : void 0;
  const { meter, variant } = item;
  const key = variant === null ? meter : `${meter} ${variant}`;
  let price = memory?.get(key);
  if (price === void 0) {
    price = findPrice(item, context);
    if ("rate" in price) memory?.set(key, price);
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
function findFactor(own, ofCard) {
  if (ofCard === null) return own ?? one;
  return own === void 0 ? exactDecimal(ofCard) : times(own, exactDecimal(ofCard));
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

// packages/cost/src/estimate.ts
function estimate(record, use) {
  const cached = multiplyDecimals(multiplyDecimals(use.input, use.cached), "0.01");
  const tokens = listItems({
    counts: {
      input_tokens: subtractDecimals(use.input, cached),
      cached_input_tokens: cached,
      output_tokens: use.output
    }
  });
  const card = lookUpCard(record);
  const isLong = use.isOneRequest && card.thresholds.length > 0;
  const context = {
    record,
    card,
    conditions: {
      tier: use.isBatch ? "batch" : null,
      region: null,
      isOfRegion: true,
      threshold: isLong ? thresholdPassed(card, record.platform, tokens) : null,
      // Rates that depend on the hour are unpriced.
      minute: null
    }
  };
  const items = asBilled(tokens, card, 1);
  const lines = items.map((item) => ({ ...item, price: lookUpPrice(item, context) }));
  const isFee2 = (meter) => meter === "requests" && !use.isOneRequest;
  const unpriced = lines.flatMap(
    ({ meter, price }) => "reason" in price ? [{ meter, reason: price.reason }] : (
      // As `costOf`: an amount in no currency is none.
      record.currency === null ? [{ meter, reason: "no_rate" }] : []
    )
  );
  let [total, fee] = [zero, zero];
  for (const { meter, count, price } of lines) {
    if ("reason" in price) continue;
    const amount = computeAmount(count, price);
    if (isFee2(meter)) fee = plus(fee, amount);
    else total = plus(total, amount);
  }
  return {
    total: unpriced.length === 0 ? formatDecimal(total) : null,
    unpriced,
    isLong: lines.some(({ price }) => "rate" in price && price.threshold !== null),
    fee: fee.units ? formatDecimal(fee) : null
  };
}
function compareTotals(a, b) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareDecimals(a, b);
}
export {
  compareTotals,
  estimate
};
