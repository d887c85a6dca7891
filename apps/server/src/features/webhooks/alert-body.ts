import { alertText } from '@ratecard/contract/alert'

export {
  alertBytesMax as bodyBytesMax,
  alertedChange,
  changesMax,
  splitIntoAlerts,
} from '@ratecard/contract/alert'

/** The bytes of an attempt's body, as they are signed and sent. */
export function alertBody(changesJson: string, now: Date): Buffer {
  return Buffer.from(alertText(changesJson, now))
}
