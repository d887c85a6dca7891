/**
 * LiteLLM's names of platforms, where they are not ours. A platform that is not listed has its own name there. Data
 * only: names that LiteLLM does not know are read back all the same.
 */
export const litellmProviders: Readonly<Record<string, string>> = {
  codestral: 'text-completion-codestral',
  fireworks: 'fireworks_ai',
  google: 'gemini',
  together: 'together_ai',
  vercel: 'vercel_ai_gateway',
}
