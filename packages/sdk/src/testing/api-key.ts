import { keyPrefix, toBase62, withChecksum } from '@ratecard/contract/api-key'

/**
 * The key with this number. It has the form of a real one, checksum included, and says what it is: in a
 * repository it is no cause for alarm.
 */
export function fakeApiKey(number: number): string {
  return withChecksum(`${keyPrefix}FakeKeyOnlyForTests${toBase62(number, 11)}`)
}

/** An id of the fake: its kind and a number. */
export function fakeId(kind: string, number: number): string {
  return `${kind}_${toBase62(number, 20)}`
}
