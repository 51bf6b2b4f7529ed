package dev.heddle.external;

import dev.heddle.job.JobContext;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

/** Passes a worker's messages on to the job that it runs. */
record JobMessageHandler(JobContext job) implements JobCall.MessageHandler {

    @Override
    public void received() {
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
