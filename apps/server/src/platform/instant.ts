export { isDateText, isInstantText, parseInstant, toInstant } from '@ratecard/contract/instant'
