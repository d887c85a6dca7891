import type { Db } from '../../database/connect.ts'
import { findCustomer, keepCustomer } from './billing-store.ts'
import type { Item, PaymentProvider } from './provider.ts'

export interface Buyer {
  account: { id: string; name: string }
  user: { id: string; email: string }
}

/** @returns the address of the provider's payment page; its events report the purchase */
export async function beginCheckout(
  db: Db,
  provider: PaymentProvider,
  { account, user }: Buyer,
  { item, quantity, returnUrl }: { item: Item; quantity: number; returnUrl: string },
): Promise<string> {
  const accountId = account.id
  const customerId =
    (await findCustomer(db, accountId)) ??
    (await keepCustomer(
      db,
      accountId,
      await provider.createCustomer({ accountId, name: account.name, email: user.email }),
    ))
  return provider.openCheckout({ accountId, customerId, item, quantity, returnUrl })
}
