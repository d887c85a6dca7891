/** Puts a value into the list of the key, once. */
export function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else if (!known.includes(value)) known.push(value)
}
