import { DashboardError } from './errors.ts'

/** The same for every cause: an old link, a used one, and one that never existed. */
export function linkDoesNotWork(): DashboardError {
  return new DashboardError('invalid_request', {
    message: 'This link does not work any more. Ask for a new one.',
  })
}
