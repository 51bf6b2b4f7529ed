package dev.heddle.external;

import dev.heddle.job.JobContext;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

/** Passes what a worker says about its job on to the job. */
record JobDesk(JobContext job) implements Exchange.Desk {

    @Override
    public void heard() {
        job.heartbeat();
    }

    @Override
    public void progress(long current, long total, String message) {
        job.progress(current, total, message);
    }

    @Override
    public void log(String level, String message) {
        job.log().atLevel(switch (level) {
            case "debug" -> Level.DEBUG;
            case "warn", "warning" -> Level.WARN;
            case "error" -> Level.ERROR;
            default -> Level.INFO;
        }).log("{}", message);
    }

    @Override
    public void checkpoint(JsonNode value) {
        job.saveCheckpoint(value);
    }
}
