import type { Attack } from '../attack.ts'
import { brokenConnections, heldConnections, unreadAnswers } from './connections.ts'
import { crawls, exportPolls, requestAttacks } from './requests.ts'

export const attacks: readonly Attack[] = [
  ...unreadAnswers,
  ...heldConnections,
  ...brokenConnections,
  ...requestAttacks,
  exportPolls,
  ...crawls,
]
