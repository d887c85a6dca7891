import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'

interface HouseLink {
  label: string
  url: string
}

async function readLinks(): Promise<HouseLink[]> {
  const answer = await fetch('/dashboard/house.json')
  return answer.ok ? ((await answer.json()) as HouseLink[]) : []
}

/** What the operator says of themselves, such as contact and terms: the same for everybody. */
export function HouseLinks() {
  const { data: links = [] } = useQuery({
    queryKey: ['house links'],
    queryFn: readLinks,
    staleTime: 'static',
    retry: false,
  })
  return links.map(({ label, url }) => (
    <Fragment key={label}>
      {' '}
      <a href={url}>{label}</a>
    </Fragment>
  ))
}
