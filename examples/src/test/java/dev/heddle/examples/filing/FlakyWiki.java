package dev.heddle.examples.filing;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what is asked of it, and fails a step as often as told. */
final class FlakyWiki implements Wiki {

    final List<Step> called = new CopyOnWriteArrayList<>();
    final List<String> comments = new CopyOnWriteArrayList<>();
    private final Map<Step, Integer> failures = new EnumMap<>(Step.class);

    synchronized void fail(Step step, int times) {
        failures.put(step, times);
    }

    private synchronized void call(Step step) throws IOException {
        called.add(step);
        int left = failures.getOrDefault(step, 0);
        if (left > 0) {
            failures.put(step, left - 1);
            throw new IOException("503");
        }
    }

    @Override
    public void updateContent(String documentId) throws IOException {
        call(Step.UPDATE_CONTENT);
    }

    @Override
    public void addSearchTerms(String documentId) throws IOException {
        call(Step.ADD_SEARCH_TERMS);
    }

    @Override
    public void move(String documentId) throws IOException {
        call(Step.MOVE);
    }

    @Override
    public void removeMarkers(String documentId) throws IOException {
        call(Step.REMOVE_MARKERS);
    }

    @Override
    public void postComment(String documentId, String text) throws IOException {
        if (text.startsWith("✅")) {
            call(Step.POST_COMMENT);
        }
        comments.add(documentId + ": " + text);
    }
}
