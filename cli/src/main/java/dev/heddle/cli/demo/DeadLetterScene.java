package dev.heddle.cli.demo;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.job.Failure;
import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.pool.DeadLetter;
import dev.heddle.pool.Pool;

/** A job fails permanently and becomes a dead letter. */
final class DeadLetterScene implements Scene {

    private static final JobType<String, Void> SHIP = JobType.of("ship", String.class, Void.class);

    @Override
    public String title() {
        return "Dead letters: a job that cannot succeed is not retried, and not lost";
    }

    @Override
    public List<Check> play(Stage stage) throws Exception {
        try (Pool pool = Pool.on(stage.store()).register(SHIP, (parcel, job) -> {
            throw JobException.permanent(parcel + " has no address").hint("add the address, then retry");
        }).open()) {
            pool.submit(SHIP.with("parcel 7").subject("customer 42")).awaitEnd(Duration.ofSeconds(20));
            List<DeadLetter> letters = pool.admin().deadLetters().list(10);
            letters.forEach(letter -> show(letter, stage));
            return List.of(new Check("dead letters", "1 letter, 1 attempt", letters.size() + " letter, "
                    + letters.stream().map(letter -> letter.attempts() + " attempt").collect(Collectors.joining(" "))));
        }
    }

    private static void show(DeadLetter letter, Stage stage) {
        stage.say("job      " + letter.id() + " (" + letter.type() + ", " + letter.subject().orElse("-") + ")");
        stage.say("reason   " + letter.reason());
        stage.say("hint     " + letter.details().map(Failure::recoveryHint).orElse("-"));
        stage.say("attempts " + letter.attempts());
    }
}
