import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { residentMbOf } from '../api/usage.ts'

// What a process holds, as the system counts it. Linux keeps the most memory that a process ever had; elsewhere it is
// looked at now and then.

const sampleMs = 250
const kbPerMb = 1_024

export interface Holdings {
  /** Most memory in the machine's, in megabytes of 2^20. Null: the process has ended. */
  peakMb: number | null
  /** Most files and connections beyond those it had at the start. NaN where the system does not tell. */
  descriptors: number
}

/** Watches a process from now on. */
export async function watchProcess(pid: number): Promise<{ stop: () => Promise<Holdings> }> {
  const wasForgotten = await forgetPeak(pid)
  const descriptorsBefore = await descriptorsOf(pid)
  let descriptors = descriptorsBefore
  let sampledMb = 0
  const timer = setInterval(() => {
    void descriptorsOf(pid).then((count) => (descriptors = Math.max(descriptors, count)))
    if (!wasForgotten) sampledMb = Math.max(sampledMb, residentMbOf(pid))
  }, sampleMs)
  return {
    stop: async () => {
      clearInterval(timer)
      const peakMb = wasForgotten ? await peakMbOf(pid) : sampledMb
      return { peakMb, descriptors: descriptors - descriptorsBefore }
    },
  }
}

/** Whether the system keeps the peak, from now on. */
async function forgetPeak(pid: number): Promise<boolean> {
  try {
    await writeFile(`/proc/${pid}/clear_refs`, '5')
    return true
  } catch {
    return false
  }
}

async function peakMbOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const peakKb = /^VmHWM:\s*(\d+) kB/m.exec(text)?.[1]
  return peakKb === undefined ? null : Number(peakKb) / kbPerMb
}

async function descriptorsOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`
  try {
    // Linux since 6.2 says the number in the folder's size.
    const { size } = await stat(folder)
    return size > 0 ? size : (await readdir(folder)).length
  } catch {
    return NaN
  }
}
