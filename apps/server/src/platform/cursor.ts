export { decodeCursor, encodeCursor, idLengthMax, type Cursor } from '@ratecard/contract/cursor'
