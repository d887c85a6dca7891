import type { Response } from 'express'

const caching = 'public, max-age=300, stale-while-revalidate=3600'

/** It is the same for everybody, and says nothing of who asks: pages of others may load it. */
export function allowEverywhere(res: Response): void {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', 'ETag')
}

export function setCaching(res: Response, etag: string): void {
  res.setHeader('Cache-Control', caching)
  res.setHeader('ETag', etag)
  res.vary('Accept-Encoding')
}
