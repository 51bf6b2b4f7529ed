package dev.heddle.engine.log;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoredTailTest {

    private static final int CHUNK = 64 << 10;

    @Test
    void dropsTheOldestChunksBehindTheHead() {
        StoredTail tail = new StoredTail();
        tail.addToHead(100, CHUNK);
        for (int i = 1; i <= 8; i++) {
            assertThat(tail.addToTail(100 + i, CHUNK)).isZero();
        }
        assertThat(tail.addToTail(109, CHUNK)).isEqualTo(101);
        assertThat(tail.addToTail(110, 2 * CHUNK)).isEqualTo(103);
        assertThat(tail.addToTail(111, 10)).isEqualTo(104);
        assertThat(tail.headEnd()).isEqualTo(100);
        assertThat(tail.lastLine()).isEqualTo(111);
    }

    @Test
    void keepsAChunkHoweverLargeItIs() {
        StoredTail tail = new StoredTail();
        assertThat(tail.addToTail(1, 100 * CHUNK)).isZero();
        assertThat(tail.addToTail(2, 100 * CHUNK)).isEqualTo(1);
    }

    @Test
    void continuesWhatAnotherNodeStored() {
        StoredTail tail = new StoredTail();
        for (int i = 1; i <= 16; i++) {
            tail.found(i, CHUNK);
        }
        assertThat(tail.headEnd()).isEqualTo(8);
        assertThat(tail.lastLine()).isEqualTo(16);
        assertThat(tail.addToTail(17, CHUNK)).isEqualTo(9);
    }
}
