package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.workload.LiveWorkload;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the sessions of a run share.
 *
 * @param working the number of sessions that are not done
 */
record Environment(
    OpenStore store,
    RunSpec spec,
    LiveWorkload workload,
    Recorder recorder,
    Tally tally,
    Stop stop,
    Tracing tracing,
    Pace pace,
    StartLine startLine,
    AtomicInteger working) {}
