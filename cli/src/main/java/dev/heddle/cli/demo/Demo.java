package dev.heddle.cli.demo;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Plays the scenes, cleans up, and prints a table of expected and actual values. */
final class Demo {

    private final List<Scene> scenes;
    private final Narrator narrator;

    Demo(List<Scene> scenes, Narrator narrator) {
        this.scenes = scenes;
        this.narrator = narrator;
    }

    List<Check> run() throws Exception {
        // The failures are intended and narrated; in the log they would look like errors.
        Logger jobs = (Logger) LoggerFactory.getLogger("dev.heddle.jobs");
        @Nullable Level previous = jobs.getLevel();
        jobs.setLevel(Level.OFF);
        try {
            return play();
        } finally {
            jobs.setLevel(previous);
        }
    }

    private List<Check> play() throws Exception {
        List<Check> checks = new ArrayList<>();
        Stage stage = new Stage(narrator);
        try (stage) {
            narrator.title("Heddle demo, on SQLite in " + stage.directory());
            for (int i = 0; i < scenes.size() && !stage.isCleared(); i++) {
                narrator.title((i + 1) + ". " + scenes.get(i).title());
                checks.addAll(play(scenes.get(i), stage));
            }
        }
        checks.add(new Check("files and processes left behind", "none", stage.leftovers()));
        narrator.table(checks);
        return checks;
    }

    private static List<Check> play(Scene scene, Stage stage) throws InterruptedException {
        try {
            return scene.play(stage);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            stage.say("failed: " + e);
            return List.of(new Check(scene.title(), "no error", e.toString()));
        }
    }
}
