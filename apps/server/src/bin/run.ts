import { main } from './ratecard.ts'

await main()
