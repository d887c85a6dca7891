// Pages of the server beside the dashboard that show what the dashboard names.

export const recordPage = (resourceId: string): string => `/prices/${encodeURIComponent(resourceId)}`

export const changePage = (id: string): string => `/changes/${encodeURIComponent(id)}`
