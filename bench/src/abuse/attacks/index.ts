import type { Attack } from '../attack.ts'
import { brokenConnections } from './broken-connections.ts'
import { crawls } from './crawl.ts'
import { heldConnections } from './held-connections.ts'
import { requestAttacks } from './requests.ts'
import { unreadAnswers } from './unread-answers.ts'

export const attacks: readonly Attack[] = [
  ...unreadAnswers,
  ...heldConnections,
  ...brokenConnections,
  ...requestAttacks,
  ...crawls,
]
