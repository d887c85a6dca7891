/** Units and meters in words. Data only. A name that is missing is written as it is, with blanks. */

const units: Readonly<Record<string, string>> = {
  '1m_tokens': '1M tokens',
  '1m_characters': '1M characters',
  '1m_pixels': '1M pixels',
}

const meterWords: Readonly<Record<string, string>> = {
  dbu: 'DBU',
  dbus: 'DBUs',
  db: 'DB',
  ocr: 'OCR',
  gb: 'GB',
}

/** `1M characters` for `1m_characters`. */
export function unitText(unit: string): string {
  return Object.hasOwn(units, unit) ? units[unit]! : unit.replaceAll('_', ' ')
}

/** `input DBUs` for `input_dbus`. */
export function meterText(meter: string): string {
  return meter
    .split('_')
    .map((word) => (Object.hasOwn(meterWords, word) ? meterWords[word]! : word))
    .join(' ')
}
