import { cellReader, parseEnglishDay, type ReadCell } from './page.ts'

/** Prices that begin at a moment, and the hours in which they are twice as high. */
export interface Announcement {
  startsAt: Date
  /** In UTC, as a rate has them. */
  peakHours: readonly string[]
}

/** One language of DeepSeek's page. */
export interface Edition {
  page: string
  address: string
  /** As `findSeller` takes it. */
  seller: string
  currency: string
  readCell: ReadCell
  /** The sentence that says what the prices are of. */
  unit: string
  /** The words of the tables. */
  model: string
  version: string
  hit: string
  miss: string
  output: string
  offPeak: string
  peak: string
  /** The sentences that announce other prices; each match of it. */
  announcement: RegExp
  readAnnouncement: (match: RegExpMatchArray) => Announcement | null
}

export const editions = {
  en: {
    page: "DeepSeek's price page",
    address: 'https://api-docs.deepseek.com/quick_start/pricing',
    seller: 'deepseek',
    currency: 'USD',
    readCell: cellReader('$', ''),
    unit: 'The prices listed below are in units of per 1M tokens.',
    model: 'MODEL',
    version: 'MODEL VERSION',
    hit: '1M INPUT TOKENS (CACHE HIT)',
    miss: '1M INPUT TOKENS (CACHE MISS)',
    output: '1M OUTPUT TOKENS',
    offPeak: 'OFF-PEAK',
    peak: 'PEAK',
    announcement:
      /with off-peak rates at half the peak rates\. Peak hours are (\d\d:\d\d) - (\d\d:\d\d) and (\d\d:\d\d) - (\d\d:\d\d) UTC \(all other hours are off-peak\)\. The new prices take effect at (\d\d:\d\d) UTC on ([A-Z][a-z]+ \d{1,2}, \d{4}), as follows:/g,
    readAnnouncement([, ...words]) {
      const [from1 = '', to1 = '', from2 = '', to2 = '', time = '', day = ''] = words
      return toAnnouncement([from1, to1, from2, to2], `${parseEnglishDay(day)}T${time}:00Z`, 0)
    },
  },
  cn: {
    page: "DeepSeek's Chinese price page",
    address: 'https://api-docs.deepseek.com/zh-cn/quick_start/pricing',
    seller: 'deepseek-cn',
    currency: 'CNY',
    readCell: cellReader('', '元'),
    unit: '下表所列模型价格以“百万 tokens”为单位。',
    model: '模型',
    version: '模型版本',
    hit: '百万tokens输入（缓存命中）',
    miss: '百万tokens输入（缓存未命中）',
    output: '百万tokens输出',
    offPeak: '空闲时段',
    peak: '高峰时段',
    announcement:
      /空闲时段价格为高峰时段价格的一半。高峰时段为北京时间 (\d{1,2}:\d\d) - (\d{1,2}:\d\d)、(\d{1,2}:\d\d) - (\d{1,2}:\d\d)（其余为空闲时段）。新价格将于北京时间 (\d{4}) 年 (\d{1,2}) 月 (\d{1,2}) 日 (\d\d:\d\d) 开始生效，具体如下：/g,
    readAnnouncement([, ...words]) {
      const [from1 = '', to1 = '', from2 = '', to2 = '', year = '', month = '', day = '', time = ''] = words
      const moment = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${time}:00Z`
      return toAnnouncement([from1, to1, from2, to2], moment, beijingHours)
    },
  },
} satisfies Record<string, Edition>

const beijingHours = 8

/** Times of a zone so many hours ahead of UTC; null: one of them is none. */
function toAnnouncement(times: readonly string[], moment: string, hoursAhead: number): Announcement | null {
  const startsAt = new Date(Date.parse(moment) - hoursAhead * 3_600_000)
  const [from1, to1, from2, to2] = times.map((time) => {
    const [hour = NaN, minute = NaN] = time.split(':').map(Number)
    const isTime = hour < 24 && minute < 60
    return isTime
      ? `${String((hour + 24 - hoursAhead) % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
      : null
  })
  if (Number.isNaN(startsAt.getTime()) || !from1 || !to1 || !from2 || !to2) return null
  return { startsAt, peakHours: [`${from1}-${to1}`, `${from2}-${to2}`] }
}
