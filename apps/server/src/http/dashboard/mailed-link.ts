import { DashboardError } from './errors.ts'

/** For every cause the same: an old link, a used one, and one that never was. */
export function linkDoesNotWork(): DashboardError {
  return new DashboardError('invalid_request', {
    message: 'This link does not work any more. Ask for a new one.',
  })
}
