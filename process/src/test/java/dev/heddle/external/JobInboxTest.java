package dev.heddle.external;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JobInboxTest {

    private final JobInbox inbox = new JobInbox();

    private static Message notification(String method, int number) {
        return new Message.Notification(method, Protocol.object().put("n", number));
    }

    /** Starts a thread that adds messages, each of a tenth of the capacity. */
    private Thread adding(int messages) {
        return Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < messages; i++) {
                inbox.add(notification(Protocol.LOG, i), JobInbox.CAPACITY / 10);
            }
        });
    }

    private static void awaitBlocked(Thread thread) {
        Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    @Test
    void blocksTheReaderWhileItIsFull() throws Exception {
        Thread reader = adding(100);
        awaitBlocked(reader);
        List<JobInbox.Event> taken = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            taken.add(inbox.take());
        }
        reader.join();
        assertThat(taken).extracting(event -> ((JobInbox.Event.Received) event).message()).as("all messages, in order")
                .isEqualTo(IntStream.range(0, 100).mapToObj(i -> notification(Protocol.LOG, i)).toList());
    }

    @Test
    void releasesTheReaderWhenItIsClosed() throws Exception {
        Thread reader = adding(100);
        awaitBlocked(reader);
        inbox.close();
        reader.join();
        assertThat(reader.isAlive()).isFalse();
    }

    @Test
    void acceptsTheEndEvenIfItIsFull() throws Exception {
        Thread reader = adding(11);
        awaitBlocked(reader);
        inbox.addEnd(new JobCall.End.Lost("gone"));
        for (JobInbox.Event next = inbox.take(); !(next instanceof JobInbox.Event.Ended); next = inbox.take()) {
            assertThat(next).isInstanceOf(JobInbox.Event.Received.class);
        }
        reader.join();
    }

    @Test
    void acceptsAMessageLargerThanItsCapacity() throws Exception {
        inbox.add(notification(Protocol.LOG, 1), JobInbox.CAPACITY * 2);
        assertThat(inbox.take()).isInstanceOf(JobInbox.Event.Received.class);
    }

    @Test
    void keepsOnlyTheLatestProgress() throws Exception {
        for (int i = 0; i < 1_000_000; i++) {
            inbox.add(notification(Protocol.PROGRESS, i), 50);
        }
        inbox.add(notification(Protocol.LOG, 0), 50);
        inbox.add(notification(Protocol.PROGRESS, 7), 50);
        for (Message expected : List.of(notification(Protocol.PROGRESS, 999_999), notification(Protocol.LOG, 0),
                notification(Protocol.PROGRESS, 7))) {
            assertThat(inbox.take()).isInstanceOfSatisfying(JobInbox.Event.Received.class,
                    received -> assertThat(received.message()).isEqualTo(expected));
        }
    }
}
