// Exact arithmetic for the table of usage objects: what is expected comes from here and not from the code that it judges.

/** A fraction of whole numbers, not negative. */
export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

const nothing: Fraction = { over: 0n, under: 1n }

/** The fraction that a decimal states. @throws Error where the text is no plain decimal */
export function fractionOf(decimal: string): Fraction {
  const [, whole = '', rest = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  if (whole === '') throw new Error(`"${decimal}" is no plain decimal.`)
  return { over: BigInt(whole + rest), under: 10n ** BigInt(rest.length) }
}

/** Equal; where a price per minute is paid by the second and no decimal is exact, up to the twentieth digit behind the point. */
export function isSame(a: Fraction, b: Fraction): boolean {
  const apart = a.over * b.under - b.over * a.under
  return (apart < 0n ? -apart : apart) * 10n ** 20n < a.under * b.under
}

function sum(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under }
}

function product(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.over, under: a.under * b.under }
}

/** What a working comes to: parts by `;`, in each the sum of products, and what it is per. */
export function resultOf(working: string): Fraction {
  return working.split(';').map(partOf).reduce(sum, nothing)
}

function partOf(part: string): Fraction {
  const [terms = '', per = '1'] = part.split(', per ')
  const divisor = fractionOf(per.trim().replace('million', '1000000'))
  const { over, under } = terms
    .split('+')
    .map((term) =>
      term
        .split('x')
        .map((factor) => fractionOf(factor.trim()))
        .reduce(product),
    )
    .reduce(sum, nothing)
  return { over: over * divisor.under, under: under * divisor.over }
}
