const linesMax = 5

/** The step between lines of the grid: 1, 2 or 5 times a power of ten, at most five of which reach the largest value. */
function stepFor(max: number): number {
  const rough = Math.max(1, max / linesMax)
  const power = 10 ** Math.floor(Math.log10(rough))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? 10 * power
}

/** Where the scale ends: at the first line that no bar passes. */
export function scaleTop(max: number): number {
  const step = stepFor(max)
  return Math.max(step, Math.ceil(max / step) * step)
}

/** The lines of a grid that ends at `top`. */
export function chooseGrid(top: number): number[] {
  const step = stepFor(top)
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step)
}
