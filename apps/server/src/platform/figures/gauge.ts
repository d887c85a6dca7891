import { Counter, Gauge, Histogram, type Aggregator, type Registry } from 'prom-client'

interface Figure {
  name: string
  help: string
}

/**
 * A counter by one label, which begins at 0 for each value that is known beforehand.
 * @param values null: they come as they are counted
 */
export function labelledCounter<Value extends string>(
  registry: Registry,
  label: string,
  values: readonly Value[] | null,
  figure: Figure,
) {
  const counter = new Counter({ ...figure, labelNames: [label], registers: [registry] })
  const add = (value: Value, count = 1) => counter.labels(value).inc(count)
  for (const value of values ?? []) add(value, 0)
  return add
}

/** A counter without labels. */
export function plainCounter(registry: Registry, figure: Figure): Counter {
  return new Counter({ ...figure, registers: [registry] })
}

/** A histogram without labels. */
export function plainHistogram(registry: Registry, buckets: number[], figure: Figure): Histogram {
  return new Histogram({ ...figure, buckets, registers: [registry] })
}

interface ReadGauge extends Figure {
  /** How the processes of one server become one figure. Default: they are added. */
  aggregator?: Aggregator
  /** Null: this process does not know, and exports nothing. NaN would spoil every sum that it is part of. */
  read: () => number | null | Promise<number | null>
}

const readMsMax = 2_500

/** What is read, or the fallback where that fails or takes so long that Prometheus would give the whole page up. */
export async function inTime<T, F>(read: () => T | Promise<T>, fallback: F): Promise<T | F> {
  const late = Promise.withResolvers<F>()
  const timer = setTimeout(() => late.resolve(fallback), readMsMax)
  const reading = Promise.resolve()
    .then(read)
    .catch(() => fallback)
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}

/** A figure that is read when it is asked for. */
export function readGauge(registry: Registry, { read, aggregator = 'sum', ...named }: ReadGauge): void {
  new Gauge({
    ...named,
    aggregator,
    registers: [registry],
    async collect() {
      const value = await inTime(read, null)
      if (value === null) this.remove()
      else this.set(value)
    },
  })
}

interface LabelledGauge<Label extends string, Row> extends Figure {
  labels: readonly Label[]
  aggregator?: Aggregator
  rows: () => readonly Row[] | Promise<readonly Row[]>
  /** Null: the row has no such figure. */
  listValues: (row: Row) => { labels: Record<Label, string>; value: number | null }[]
}

/** The same with a figure for each of some rows, and none for what is no row any more. */
export function labelledGauge<Label extends string, Row>(
  registry: Registry,
  { labels, rows, listValues, aggregator = 'sum', ...named }: LabelledGauge<Label, Row>,
): void {
  new Gauge({
    ...named,
    aggregator,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const read = await inTime(rows, [])
      this.reset()
      for (const { labels: own, value } of read.flatMap(listValues)) if (value !== null) this.set(own, value)
    },
  })
}

/** Several gauges of one page ask at a time: one answer serves them. */
export function sharing<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return () => (underWay ??= read().finally(() => (underWay = null)))
}
