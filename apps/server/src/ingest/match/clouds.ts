/**
 * Clouds: they sell makers' models under contracts and with notice of their own, so a model that leaves one is news to
 * its customers. All platforms that are neither here nor a maker's own resell: routers (openrouter, vercel, llmgateway)
 * forward requests to whoever sells the model, and hosts of open models (chutes, deepinfra, groq, novita) drop it when
 * few ask for it. Both drop models every day, and the model is sold elsewhere.
 */
export const clouds: ReadonlySet<string> = new Set([
  'azure',
  'bedrock',
  'dashscope',
  'databricks',
  'oci',
  'sagemaker',
  'snowflake',
  'tencent',
  'vertex_ai',
  'volcengine',
  'watsonx',
])
