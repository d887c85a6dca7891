import fc from 'fast-check'

/** Property tests try the same cases in every run, so that a run says something of its commit. FC_SEED tries others. */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1) })
