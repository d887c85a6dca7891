/** The ids of the names that Google Cloud's page of model versions recommends, from its own tables, as of 2026-08-22. */
export const googleNames: Readonly<Record<string, string>> = {
  'Gemini 3.5 Flash': 'gemini-3.5-flash',
  'Gemini 3.5 Flash-Lite or Gemini 3.1 Flash-Lite': 'gemini-3.5-flash-lite',
  'Gemini 3.1 Flash-Lite or Gemma 4': 'gemini-3.1-flash-lite',
  'Gemini 3.1 Flash-Lite Image': 'gemini-3.1-flash-lite-image',
}
