package dev.heddle.cli.demo;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;

/** Jobs of several priorities wait in a queue; one worker runs the highest first. */
final class PriorityScene implements Scene {

    private static final JobType<String, Void> MAIL = JobType.of("mail", String.class, Void.class);
    private static final String QUEUE = "mails";

    @Override
    public String title() {
        return "Priorities: higher first; equal priorities in order of submission";
    }

    @Override
    public List<Check> play(Stage stage) throws Exception {
        Map<String, Integer> mails = new LinkedHashMap<>();
        mails.put("news", -5);
        mails.put("bill", 0);
        mails.put("alarm", 9);
        mails.put("slip", 0);
        mails.put("code", 5);

        List<String> ran = new CopyOnWriteArrayList<>();
        try (Pool pool = Pool.on(stage.store()).workers(1).register(MAIL, (mail, job) -> {
            ran.add(mail);
            return null;
        }).open()) {
            pool.admin().pauseQueue(QUEUE);
            mails.forEach((mail, priority) -> pool.submit(MAIL.with(mail).priority(priority).queue(QUEUE)));
            stage.say("submitted while the queue is paused: " + mails.entrySet().stream()
                    .map(mail -> mail.getKey() + " (" + mail.getValue() + ")").collect(Collectors.joining(", ")));
            pool.admin().resumeQueue(QUEUE);
            pool.awaitIdle(Duration.ofSeconds(20));
        }
        stage.say("resumed; one worker ran: " + String.join(", ", ran));
        return List.of(new Check("order by priority", "alarm code bill slip news", String.join(" ", ran)));
    }
}
