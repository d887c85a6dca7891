export * from '../../../../../../packages/cost/src/estimate.ts'
