package dev.assay.collect.workload;

import dev.assay.collect.client.ClientException;
import dev.assay.history.OpKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Applications in small: the transactions of well-known benchmarks, as reads and writes of
 * registers and appends to lists. They have the shape of their models, read-modify-write chains,
 * hot counters, growing timelines, and none of their data.
 */
public enum Application {
  /**
   * After TPC-C: new orders take numbers from a district and stock from items, payments add to a
   * warehouse, a district and a customer, order status and stock level only read.
   */
  TPCC {
    @Override
    void transaction(Steps s, Shop shop) {
      int district = shop.random.below(shop.scale);
      int kind = shop.random.below(100);
      if (kind < 45) {
        s.update(register(DISTRICT, district));
        int items = 1 + shop.random.below(3);
        for (int i = 0; i < items; i++) {
          s.update(register(STOCK, shop.random.below(shop.scale * 10)));
        }
        s.write(list(ORDERS, district));
      } else if (kind < 88) {
        s.update(register(WAREHOUSE, district / 10));
        s.update(register(DISTRICT, district));
        s.update(register(CUSTOMER, shop.random.below(shop.scale * 3)));
      } else if (kind < 94) {
        s.read(register(CUSTOMER, shop.random.below(shop.scale * 3)));
        s.read(list(ORDERS, district));
      } else {
        s.read(register(DISTRICT, district));
        for (int i = 0; i < 3; i++) {
          s.read(register(STOCK, shop.random.below(shop.scale * 10)));
        }
      }
    }
  },
  /**
   * After the Twitter clone of the Cobra and PolySI papers: tweets go to the author's list,
   * timelines read those of whom one follows, following changes two users.
   */
  TWITTER {
    @Override
    void transaction(Steps s, Shop shop) {
      int user = shop.random.below(shop.scale * 10);
      int other = shop.random.below(shop.scale * 10);
      int kind = shop.random.below(100);
      if (kind < 30) {
        s.update(register(LAST_TWEET, user));
        s.write(list(TWEETS, user));
      } else if (kind < 50) {
        s.update(register(FOLLOWING, user));
        s.update(register(FOLLOWERS, other));
      } else if (kind < 80) {
        s.read(register(FOLLOWING, user));
        for (int i = 0; i < 3; i++) {
          s.read(list(TWEETS, shop.random.below(shop.scale * 10)));
        }
      } else {
        s.read(register(LAST_TWEET, other));
        s.read(list(TWEETS, other));
      }
    }
  },
  /**
   * After RUBiS, an auction site: bids read and raise an item's price and join its list, buying
   * takes from the stock of an item, comments change a user's rating.
   */
  RUBIS {
    @Override
    void transaction(Steps s, Shop shop) {
      int item = shop.random.below(shop.scale * 5);
      int user = shop.random.below(shop.scale * 5);
      int kind = shop.random.below(100);
      if (kind < 35) {
        s.update(register(PRICE, item));
        s.write(list(BIDS, item));
      } else if (kind < 50) {
        s.read(register(PRICE, item));
        s.update(register(QUANTITY, item));
        s.update(register(BALANCE, user));
      } else if (kind < 60) {
        s.update(register(RATING, user));
        s.write(list(COMMENTS, user));
      } else if (kind < 85) {
        s.read(register(PRICE, item));
        s.read(register(QUANTITY, item));
        s.read(list(BIDS, item));
      } else {
        s.read(register(RATING, user));
        s.read(list(COMMENTS, user));
      }
    }
  };

  private static final int KINDS = 16;
  private static final int DISTRICT = 0;
  private static final int STOCK = 1;
  private static final int WAREHOUSE = 2;
  private static final int CUSTOMER = 3;
  private static final int ORDERS = 4;
  private static final int LAST_TWEET = 0;
  private static final int FOLLOWING = 1;
  private static final int FOLLOWERS = 2;
  private static final int TWEETS = 4;
  private static final int PRICE = 0;
  private static final int QUANTITY = 1;
  private static final int BALANCE = 2;
  private static final int RATING = 3;
  private static final int BIDS = 4;
  private static final int COMMENTS = 5;

  /** Tables from this number on hold lists. */
  private static final int FIRST_LIST = ORDERS;

  /** The name used on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The application as a workload.
   *
   * @param scale how large its tables are; small ones mean more conflicts
   */
  public LiveWorkload workload(int scale) {
    return new Running(this, scale);
  }

  abstract void transaction(Steps steps, Shop shop);

  private static long register(int table, int row) {
    return (long) row * KINDS + table;
  }

  private static long list(int table, int row) {
    return register(table, row);
  }

  private static OpKind.Type type(long key) {
    return key % KINDS >= FIRST_LIST ? OpKind.Type.LIST : OpKind.Type.REGISTER;
  }

  /** What a client draws from. */
  record Shop(SplitMix random, int scale) {}

  /** The accesses of one transaction, decided before it begins. */
  static final class Steps {
    private long[] keys = new long[16];
    private boolean[] writes = new boolean[16];
    private int size;

    void read(long key) {
      add(key, false);
    }

    void write(long key) {
      add(key, true);
    }

    /** Reads, then writes. */
    void update(long key) {
      read(key);
      write(key);
    }

    private void add(long key, boolean write) {
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, size * 2);
        writes = Arrays.copyOf(writes, size * 2);
      }
      keys[size] = key;
      writes[size++] = write;
    }
  }

  private record Running(Application application, int scale, AtomicLong highest)
      implements LiveWorkload {
    Running(Application application, int scale) {
      this(application, scale, new AtomicLong(-1));
    }

    @Override
    public Client client(SplitMix random) {
      Steps steps = new Steps();
      Shop shop = new Shop(random, scale);
      return new Client() {
        @Override
        public void draw(boolean onlyReads) {
          steps.size = 0;
          application.transaction(steps, shop);
          if (onlyReads) {
            Arrays.fill(steps.writes, 0, steps.size, false);
          }
          for (int i = 0; i < steps.size; i++) {
            highest.accumulateAndGet(steps.keys[i], Math::max);
          }
        }

        @Override
        public boolean onlyReads() {
          for (int i = 0; i < steps.size; i++) {
            if (steps.writes[i]) {
              return false;
            }
          }
          return true;
        }

        @Override
        public void run(Access access) throws ClientException {
          for (int i = 0; i < steps.size; i++) {
            if (steps.writes[i]) {
              access.write(type(steps.keys[i]), steps.keys[i]);
            } else {
              access.read(type(steps.keys[i]), steps.keys[i]);
            }
          }
        }
      };
    }

    /** All rows up to the highest used; reading one that was never written does no harm. */
    @Override
    public void forEachKey(KeyVisitor visitor) {
      for (long key = 0; key <= highest.get(); key++) {
        if (key % KINDS <= COMMENTS) {
          visitor.visit(type(key), key);
        }
      }
    }

    @Override
    public String describe() {
      return application.id() + ", scale " + scale;
    }
  }
}
